// SPDX-License-Identifier: MIT
// What `reprise record` does when the job is over: completes the trace and says what the run left behind.
#pragma once

#include <filesystem>

namespace reprise::cli {

// Joins call streams (`traces_calls`), names call sites (`with_symbols`), compresses the trace fully, and tells the user what there is,
// or why there is none. `status`: the program's own, the shell's way. Errors are told and not thrown: a job that succeeded has not failed
// because it has no trace.
void conclude_recording(const std::filesystem::path& output, bool traces_calls, bool with_symbols,
                        int status) noexcept;

}  // namespace reprise::cli
