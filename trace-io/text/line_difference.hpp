// SPDX-License-Identifier: MIT
// What has to be taken out of and put into a list of lines to make another one of it: the shortest such script.
//
// Source  E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986).
// Cost    time and memory O(lines + D²) with D ≤ `most` lines that differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reprise::trace_io {

struct LineEdit {
  enum class Kind : std::uint8_t { same, only_first, only_second } kind;
  std::size_t line;  // its index in the first list, of only_second in the second
};

// None where more than `most` lines differ.
std::optional<std::vector<LineEdit>> line_difference(const std::vector<std::string>& first,
                                                     const std::vector<std::string>& second,
                                                     std::size_t most);

}  // namespace reprise::trace_io
