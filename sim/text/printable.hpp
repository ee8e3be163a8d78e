// SPDX-License-Identifier: MIT
// Texts as a terminal may have them: names in a trace come from whoever recorded it, and could move the cursor, rename the window or
// hide what stands beside them.
//
// What    control characters but line breaks and tabs (U+0000 to U+001F, U+007F to U+009F) become \\x1b and the like; all else, also bytes
//         that are no UTF-8, stays as it is.
// Where   whatever is written for people: answers as text, errors, cells of CSV. JSON, HTML and dumps have escapes of their own.
#pragma once

#include <string>
#include <string_view>

namespace reprise {

std::string printable(std::string_view);

// As a cell of a table that may be opened in a spreadsheet: what begins with = + - @ or a tab would be calculated there, so it gets an
// apostrophe in front (OWASP, "CSV injection"). Not quoted yet.
bool is_formula(std::string_view);

}  // namespace reprise
