// SPDX-License-Identifier: MIT
// Measurement tools' tables of numbers, line by line.
#pragma once

#include <string>
#include <vector>

namespace reprise::platforms {

// The file's text. Throws InputError: it cannot be read, or is larger than any table of measurements.
std::string read_table_file(const std::string& path);

struct TableLine {
  std::size_t number = 0;  // from 1
  std::string text;        // without its line break and trailing blanks
};
std::vector<TableLine> lines_of(const std::string& text);

// The numbers of a line; empty where anything in it is none. Finite ones only.
std::vector<double> numbers_of(const std::string& line);

}  // namespace reprise::platforms
