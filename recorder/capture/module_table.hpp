// SPDX-License-Identifier: MIT
// Which loaded file a code address belongs to: its path, its build-id and the offset from its load address.
//
// Cost    find(): O(log modules). look_again(): a call of the dynamic linker, plus a new reading of its list where files were loaded or unloaded since.
// Stable  (build-id, offset) does not depend on address-space randomisation and is equal on all ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

class ModuleTable {
 public:
  struct Place {
    std::uint32_t module = 0;  // index into modules()
    std::uint64_t offset = 0;
  };
  // Notes what was loaded and unloaded. False where something was unloaded since the last time: addresses may mean something else.
  bool look_again();
  std::uint64_t unloads() const { return unloaded_; }  // by the linker, as of the last look
  // An address in no file (code made at run time) is at offset 0 of the module "[made at run time]". REQUIRES: look_again() since
  // the address was read.
  Place find(std::uintptr_t address);
  bool is_in_file(std::uintptr_t address) { return segment_of(address) != nullptr; }
  // Files that pass MPI calls on for other languages: their frames are no part of the program.
  bool is_binding(std::uint32_t module) const { return is_binding_[module]; }
  bool is_c_library(std::uint32_t module) const { return module == c_library_; }
  const std::vector<trace_io::Module>& modules() const { return modules_; }

 private:
  struct Segment {
    std::uintptr_t begin, end, load_address;
    std::uint32_t module;
  };
  static constexpr std::uint32_t kNoModule = ~std::uint32_t{0};

  void read_loaded_files();
  const Segment* segment_of(std::uintptr_t address);
  std::uint32_t index_of(const std::string& path, const std::string& build_id);

  std::vector<trace_io::Module> modules_;
  std::vector<bool> is_binding_;
  std::vector<Segment> segments_;  // by begin
  std::size_t latest_ = 0;         // segment that was found last: callers mostly lie in the same
  std::uint64_t loaded_ = 0, unloaded_ = 0;  // the linker's counters at the last reading
  std::uint32_t c_library_ = kNoModule;
};

}  // namespace reprise::recorder
