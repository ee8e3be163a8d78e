// SPDX-License-Identifier: MIT
// A JSON text as a tree, strictly: one value, no duplicate keys, no comments, bounded depth and size.
//
// Errors  InputError at "FILE:LINE:COLUMN", column in bytes from 1; the same for platforms, scenarios and studies.
// Limits  kMaxDepth nested objects and arrays, kMaxFileBytes of text: a damaged or foreign file ends in a message.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace reprise::platforms {

inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

struct Document {
  nlohmann::json value;
  std::string file;  // as messages name it
};

Document parse_document(std::string_view text, std::string file);
Document load_json(const std::string& path);
// The file's text, a little longer than kMaxFileBytes at most.
std::string read_document_text(const std::string& path);

}  // namespace reprise::platforms
