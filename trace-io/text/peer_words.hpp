// SPDX-License-Identifier: MIT
// Peers as people write them (3, +1, -1, ^1, any, null, root, none), to and from the codes that a trace stores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trace-io/model/peer_form.hpp"

namespace reprise::trace_io {

// The code for an offset (relative) or a mask (exclusive_or) seen from a rank; none where no such rank can be meant.
std::optional<std::int64_t> peer_code(PeerForm, std::int64_t distance, Position);
// "+1", "-2", "^4", "3", "any": what means the code in this form; empty where the code has no such word.
std::string peer_word(PeerForm, std::int64_t code, std::optional<Position>);

}  // namespace reprise::trace_io
