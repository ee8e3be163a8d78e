// SPDX-License-Identifier: MIT
// The lines of a trace's text form as what a mutation works on: which belong to a thread's program, and where a statement ends.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::fuzz {

using Lines = std::vector<std::string>;

inline Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

inline std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

inline bool opens(std::string_view line) { return line.ends_with('{'); }
inline bool closes(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line[first] == '}';
}

// The lines on which a statement of a thread begins, loops included, in their order.
inline std::vector<std::size_t> statements_of(const Lines& lines) {
  std::vector<std::size_t> statements;
  int depth = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (closes(lines[i])) {
      --depth;
      continue;
    }
    if (depth > 0 && !lines[i].empty()) statements.push_back(i);
    if (opens(lines[i])) ++depth;
  }
  return statements;
}

// One line behind the statement that begins on this one: a loop ends with its brace.
inline std::size_t end_of_statement(const Lines& lines, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    depth += opens(lines[i]) ? 1 : closes(lines[i]) ? -1 : 0;
    if (depth <= 0) return i + 1;
  }
  return lines.size();
}

}  // namespace reprise::fuzz
