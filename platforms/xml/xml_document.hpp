// SPDX-License-Identifier: MIT
// An XML text as a tree of elements with their attributes and lines; of text between elements only that of <trace> is kept.
//
// Errors  InputError at "FILE:LINE". Limits: kMaxElementDepth nested elements. A DOCTYPE is passed over, nothing outside is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise::platforms {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  // in their order
  std::vector<XmlElement> children;
  std::uint64_t line = 0;
  std::string text;             // of a <trace>
  std::uint64_t text_line = 0;  // where that begins

  const std::string* attribute(std::string_view name) const;  // null where it has none
};

XmlElement parse_xml(std::string_view text, const std::string& file);

}  // namespace reprise::platforms
