// SPDX-License-Identifier: MIT
// What the three parts of `reprise trace info` share: what a user asks (trace_text.cpp), how it is stored (trace_internals.cpp), JSON (trace_info_json.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace-io/file/finish_times.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::cli {

inline constexpr std::size_t kMostContributors = 8;  // fields that make a trace large

std::string_view name_of(
    trace_io::Timing);  // "stat", "histogram", "path", as record --timing has them
std::string_view name_of(trace_io::Clock);  // "wall", "cpu", as record --clock

// Of MPI_Finalize, with waiting for other ranks.
Nanoseconds merging_alone(const trace_io::Header&, const trace_io::FinishTimes&);

struct SampleCounts {
  std::uint64_t compute = 0, communicate = 0;
};
SampleCounts sample_counts(const trace_io::FunctionSamples&);

// How times are stored, and what the recorder took for what: lines for `reprise trace info --verbose`, with a heading.
std::string internals_text(const trace_io::Trace&, const std::optional<trace_io::FinishTimes>&);

}  // namespace reprise::cli
