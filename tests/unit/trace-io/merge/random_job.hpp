// SPDX-License-Identifier: MIT
// Random SPMD programs, executed for every rank: the streams that the losslessness of merging is tested with.
//
// Has     nested loops with constant, rank-dependent and varying counts; branches by rank; every procedure of the table; peers
//         that are relative, exclusive-or, absolute, wildcards, bordered or irregular; sub-communicators and intercommunicators
//         under indices that differ between ranks, constant or varying over the iterations; vectors of varying length.
// Not     matching sends and receives: merging does not look at that.
#pragma once

#include <cstdint>

#include "tests/unit/trace-io/merge/job.hpp"

namespace reprise::trace_io::testing {

// The same job for the same seed, on every machine.
Job random_job(std::uint64_t seed);

}  // namespace reprise::trace_io::testing
