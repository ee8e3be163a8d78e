// SPDX-License-Identifier: MIT
// Where the golden files of each format version are, and what they hold.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "trace-io/file/format.hpp"

namespace reprise::trace_io::testing {

inline std::string path_of(const char* name, std::uint32_t version = kFormatVersion) {
  return std::string(REPRISE_GOLDEN_DIRECTORY) + "/v" + std::to_string(version) + "/" + name;
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace reprise::trace_io::testing
