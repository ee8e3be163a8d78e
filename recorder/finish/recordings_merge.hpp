// SPDX-License-Identifier: MIT
// From what this rank has recorded to the trace of all ranks.
#pragma once

#include <cstdint>
#include <optional>

#include "recorder/capture/recording.hpp"
#include "recorder/finish/merge_tree.hpp"

namespace reprise::recorder {

// Collective, as merge_over(). `fold`: when this rank had its own trace, from `begin` (monotonic) on; unchanged where it needs none.
MergedTrace merge_recordings(Recording&, Ranks&, std::optional<trace_io::Trace>* sent,
                             std::uint64_t begin, Nanoseconds& fold) noexcept;

}  // namespace reprise::recorder
