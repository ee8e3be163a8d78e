// SPDX-License-Identifier: MIT
// For fuzzers of imports: what was imported holds together, or the import is wrong.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "trace-io/check/check.hpp"

inline void must_hold_together(const reprise::trace_io::Trace& trace) {
  for (const auto& finding : reprise::trace_io::check_structure(trace)) {
    std::fprintf(stderr, "%s: %s\n", finding.where.c_str(), finding.problem.c_str());
    std::abort();
  }
  reprise::trace_io::check(trace, 100'000);
}

// A file of this process with these bytes; its path.
inline std::string scratch_file(const char* name, const std::uint8_t* data, std::size_t size) {
  static const std::string folder = [] {
    char pattern[] = "/dev/shm/reprise-fuzz-XXXXXX";
    return std::string(mkdtemp(pattern));
  }();
  const std::string path = folder + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (size > 0) std::fwrite(data, 1, size, file);
  std::fclose(file);
  return path;
}
