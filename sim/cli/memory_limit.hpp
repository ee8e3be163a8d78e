// SPDX-License-Identifier: MIT
// A command that needs more memory than the machine has ends with an error, before the system kills it, or whatever else runs there.
//
// How     the limit of private writable memory (RLIMIT_DATA) is lowered to what is available at the start: MemAvailable and SwapFree of
//         /proc/meminfo, or what the process's control group (v1 or v2) or one above it leaves, whichever is less. Of what a group uses,
//         inactive file pages count as left: the kernel reclaims them. A lower limit (ulimit -d) stays. Child processes inherit it, and each
//         has it for itself: several together can still use up the machine.
// Not     for verbs that start other programs, which would inherit it; nor under AddressSanitizer, whose shadow memory counts as data.
// Cost    a few small files read, up to five for each level of control groups: some 0.1 ms.
#pragma once

#include <optional>
#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise::cli {

// What may be used from now on, or nothing where that is not known or not limited.
std::optional<Bytes> limit_memory();

// What limit_memory() looks at, below a folder that stands for "/": for tests.
std::optional<Bytes> available_memory(const std::string& root);

// The text of the error.
std::string out_of_memory(std::optional<Bytes> limit);

}  // namespace reprise::cli
