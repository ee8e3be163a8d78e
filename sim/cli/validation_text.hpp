// SPDX-License-Identifier: MIT
// What `reprise validate` prints.
#pragma once

#include <string>

#include "sim/validation/validate.hpp"

namespace reprise::cli {

// One line for each kind of check, every failure, and what was not compared. With `every_check`, all checks.
std::string validation_text(const sim::validation::Validation&,
                            const sim::validation::Profile& ours,
                            const sim::validation::Profile& theirs, bool every_check);
// {"format":1,"verdict":"pass"|"fail","checks":[{"what","key","ours","mpip","ok"[,"reason"]},…],"skipped":[{"what","key","reason"},…],
//  "worst_time_error":X}
std::string validation_json(const sim::validation::Validation&);

}  // namespace reprise::cli
