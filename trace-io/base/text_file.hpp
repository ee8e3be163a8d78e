// SPDX-License-Identifier: MIT
// A whole file as one string.
#pragma once

#include <string>

namespace reprise {

// Errors: InputError{path, "cannot be opened: No such file or directory", ""} and alike. Cost: O(bytes), in memory once.
std::string read_text_file(const std::string& path);

}  // namespace reprise
