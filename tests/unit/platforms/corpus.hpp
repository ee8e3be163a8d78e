// SPDX-License-Identifier: MIT
// The corpus of accepted platform files beside this source; the refused ones are in tests/unit/rejected.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "platforms/load.hpp"

namespace corpus {

inline std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// NAME such as "accepted/star.json"; messages name it so, wherever the tests run.
inline reprise::platforms::Document document(const std::string& name) {
  return reprise::platforms::parse_document(read(REPRISE_CORPUS "/" + name), name);
}

inline reprise::platforms::Platform platform(const std::string& name) {
  return reprise::platforms::parse_platform(document(name));
}

// The message of the error that CALL throws.
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace corpus
