// SPDX-License-Identifier: MIT
// A rank's samples of functions as they stand in a trace.
#pragma once

#include <memory>
#include <span>

#include "recorder/capture/sites.hpp"
#include "recorder/sampling/thread_sampler.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::recorder {

// Of all threads together. Their call paths become those of the table: describe it afterwards. REQUIRES: no thread appends meanwhile.
std::shared_ptr<const trace_io::FunctionSamples> sampled_functions(
    std::span<const ThreadSampler* const>, SiteTable&, std::uint32_t rate, Rank);

}  // namespace reprise::recorder
