// SPDX-License-Identifier: MIT
// How long finishing took, as a file says beside its trace: in a skippable frame behind the payload (FORMAT.md, section 1), since the time
// that coding and compressing take is not known before they are done.
//
// Rounded  to microseconds, and to kFinishTimes' significant bits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

inline constexpr ShortFloat<std::uint64_t> kFinishTimes{8};  // µs

// On the rank that writes the file. What merging took, waiting for other ranks included, is Header::merge_elapsed less fold and finalize.
struct FinishTimes {
  Nanoseconds fold{};      // the rank's own program put into a trace
  Nanoseconds finalize{};  // scale factors and orders fitted
  Nanoseconds write{};     // durations rounded, the payload coded and compressed
  Nanoseconds symbols{};   // names of functions looked up after the run, by `reprise record`
  friend bool operator==(const FinishTimes&, const FinishTimes&) = default;
};

// Behind the payload of a file that serialise() has made.
void append_finish_times(std::vector<std::byte>& file, const FinishTimes&);
// None where the file does not say. REQUIRES: deserialise() has nothing against the file.
std::optional<FinishTimes> finish_times(std::span<const std::byte> file);
std::optional<FinishTimes> load_finish_times(
    const std::string& path);  // likewise; errors as load()

}  // namespace reprise::trace_io
