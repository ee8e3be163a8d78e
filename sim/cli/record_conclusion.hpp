// SPDX-License-Identifier: MIT
// What `reprise record` does when the job is over: completes the trace and says what the run left behind.
#pragma once

#include <filesystem>

namespace reprise::cli {

// Joins call streams (`traces_calls`), names call sites (`with_symbols`), compresses the trace fully, and tells the user what there is,
// or why there is none. `status`: the program's exit status, or 128 + signal. Errors are printed, not thrown: a job without a trace may
// still have succeeded.
void conclude_recording(const std::filesystem::path& output, bool traces_calls, bool with_symbols,
                        int status) noexcept;

}  // namespace reprise::cli
