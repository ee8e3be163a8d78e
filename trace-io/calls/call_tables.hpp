// SPDX-License-Identifier: MIT
// The tables of a file of call streams as they are read: those of several ranks become one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace-io/calls/call_file.hpp"

namespace reprise::trace_io {

class CallTables {
 public:
  explicit CallTables(CallFile& to) : file_(to) {}
  // A block that holds no events. Throws InputError{where, …}.
  void add(const CallBlockHead&, const std::vector<std::byte>& payload, const std::string& where);

 private:
  void add_modules(const CallBlockHead&, const std::vector<std::byte>&, const std::string& where);
  void add_functions(const CallBlockHead&, const std::vector<std::byte>&, const std::string& where);
  void add_numbers(const CallBlockHead&, const std::vector<std::byte>&, const std::string& where);

  CallFile& file_;
  std::map<CallModule, std::uint32_t> module_index_;
  std::map<CallFunction, std::uint32_t> function_index_;
  std::map<std::int32_t, std::vector<std::uint32_t>> modules_;  // by rank: of its own numbers
};

// The same blocks, written.
std::vector<std::byte> module_bytes(const CallModule&);
std::vector<std::byte> function_bytes(const CallFunction&);

}  // namespace reprise::trace_io
