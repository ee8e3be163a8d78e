// SPDX-License-Identifier: MIT
// Random programs as compilers know them — calls, loops with fixed, changing, zero counts, breaks, branches — and runs of them.
#pragma once

#include <cstdint>
#include <random>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"

namespace reprise::trace_io::testing {

struct StructuredRun {
  Stream stream;
  std::uint32_t sites = 0;
};

// At most `limit` events of a random program that is run repeatedly. The same seed gives the same run on every machine.
StructuredRun run_of_random_program(std::uint64_t seed, std::size_t limit);

}  // namespace reprise::trace_io::testing
