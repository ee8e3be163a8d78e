// SPDX-License-Identifier: MIT
// For tests of imports: a rank's calls as lines of text, and files that go when the test is over.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// "MPI_Isend 0 9 7 100 0", vectors behind bars: "MPI_Waitall | 0 1 | 3 3 | -1 -1". Requests are slots.
std::vector<std::string> calls_of(const Trace&, std::int32_t rank);
// "name: count" of each loss.
std::vector<std::string> losses_of(const Trace&);
// Of the rank's n-th call: compute and communicate time, where the call has one execution on its path.
std::pair<std::int64_t, std::int64_t> times_of(const Trace&, std::int32_t rank, std::size_t call);

class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace reprise::trace_io
