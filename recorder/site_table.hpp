// SPDX-License-Identifier: MIT
// Sites of this process: a procedure at a call path, numbered as they are first seen.
//
// Shared by all threads, under its own lock; asked only where a thread's SiteCache does not know the answer.
// A path begins with the program's own frame (those of language bindings are left out) and ends with main, or the function
// that a thread was started with: the start-up code below it is left out.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "recorder/call_path.hpp"
#include "recorder/module_table.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

class SiteTable {
 public:
  // `depth` frames of a path are kept.
  trace_io::SiteId site_of(std::string_view procedure, const Unwound& path, std::size_t depth);
  bool is_in_binding(std::uintptr_t address);
  // Fills procedures, modules, call_paths and sites.
  void describe(trace_io::Trace&);

 private:
  std::uint32_t procedure_of(std::string_view name);

  std::mutex mutex_;
  ModuleTable modules_;
  std::vector<std::string> procedures_;
  std::map<std::vector<trace_io::Frame>, std::uint32_t> path_numbers_;
  std::vector<trace_io::CallPath> paths_;
  std::map<trace_io::Site, trace_io::SiteId> site_numbers_;
  std::vector<trace_io::Site> sites_;
};

}  // namespace reprise::recorder
