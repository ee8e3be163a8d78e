// SPDX-License-Identifier: MIT
// What the command says on stderr beside errors and warnings, by -q/--quiet and -v/--verbose, which parse() takes for every verb.
//
// note      facts about the answer and what was written: not with --quiet
// detail    what is done and how long it took: with --verbose alone
// progress  of long work (trace-io/base/progress_line.hpp): not with --quiet
// Colour    there is none anywhere, so that NO_COLOR has nothing to switch off.
#pragma once

#include <string>

#include "trace-io/base/progress_line.hpp"

namespace reprise::cli {

enum class Messages : std::uint8_t { quiet, usual, verbose };

void set_messages(Messages);  // of this process; Messages::usual before
Messages messages();

// "reprise: TEXT" and a line break; control characters are shown.
void note(const std::string& text);
void detail(const std::string& text);
ProgressLine::Place progress_place();

}  // namespace reprise::cli
