// SPDX-License-Identifier: MIT
// One MPI call as it happened on one rank: what the recorder hands to the compressor and what decoding gives back.
//
// Lossless  site, scalars and vectors come back exactly, in order. Time comes back as statistics only.
// Lifetime  the spans of an EventView are valid only during the call that received it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

// Index into Trace::sites (decoded) or the recorder's own site table (recording): a procedure at a call path.
using SiteId = std::uint32_t;
inline constexpr SiteId kNoSite = ~SiteId{0};

struct EventView {
  SiteId site = kNoSite;
  std::span<const std::int64_t>
      scalars;  // as fields() orders them; peers as codes, see procedure.hpp
  std::span<const std::span<const std::int64_t>> vectors;  // likewise
  Nanoseconds
      compute{};  // from the end of the previous MPI event of this thread to the entry of this one
  Nanoseconds
      communicate{};  // inside the call (for a Test that succeeded: since its first failed attempt)
  std::uint64_t polls = 0;   // failed Test or Iprobe calls that this event stands for as well
  std::int64_t further = 0;  // calls of the site beyond this one, or not made (completions.hpp)
  bool has_tag = false;      // its tag may be stored as a step (tag_steps.hpp)
  std::uint64_t bytes =
      0;  // handed to MPI (iterations/payload_bytes.hpp); only where iterations are recorded
};

// The same with storage of its own; equality is that of the lossless part.
struct Event {
  SiteId site = kNoSite;
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> vectors;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace reprise::trace_io
