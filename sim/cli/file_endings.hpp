// SPDX-License-Identifier: MIT
// What the names of the files end with that an option or an operand takes: what shells offer where Tab is pressed.
#pragma once

#include <string_view>

namespace reprise::cli {

// "json xml", "/" for folders only, "" for any file. NAME: "--platform", or an operand, "FILE"; VALUE: what an option takes, "TRACE", or "".
std::string_view file_endings(std::string_view verb, std::string_view name, std::string_view value);

}  // namespace reprise::cli
