// SPDX-License-Identifier: MIT
// The answers of `reprise trace calls`, as text or JSON (docs/JSON.md).
#pragma once

#include <string>
#include <vector>

#include "sim/calls/call_profile.hpp"

namespace reprise::cli {

using ChosenStreams = std::vector<const trace_io::CallStream*>;

std::string streams_answer(const trace_io::CallFile&, const ChosenStreams&, bool as_json);
std::string flat_answer(const trace_io::CallFile&, const sim::CallProfile&, std::size_t most,
                        bool as_json);
std::string tree_answer(const trace_io::CallFile&, const sim::CallProfile&, std::size_t most,
                        bool as_json);
// The call paths that end in one of these functions.
std::string places_answer(const trace_io::CallFile&, const sim::CallProfile&,
                          const std::vector<std::uint32_t>& functions, std::size_t most,
                          bool as_json);
std::string stream_answer(const trace_io::CallFile&, const trace_io::CallStream&, sim::CallRange,
                          bool as_json);

}  // namespace reprise::cli
