// SPDX-License-Identifier: MIT
// What `reprise record` does with the call streams that ranks leave beside the trace.
#pragma once

#include <filesystem>

namespace reprise::cli {

// Of an earlier run under the same name; nothing where OUTPUT is empty.
void remove_calls_beside(const std::filesystem::path& output);
// NAME.calls.parts becomes NAME.calls, functions with their names. Says what became of it; never throws for what cannot be read or written:
// the folder stays, and `reprise trace calls` reads it as it is.
void join_recorded_calls(const std::filesystem::path& output);

}  // namespace reprise::cli
