// SPDX-License-Identifier: MIT
// Programs by chance, written as OTF2 and Paraver and imported again: the same calls, fields, communicators, and times.
#include <catch2/catch.hpp>

#include "tests/unit/timeline/random_program.hpp"
#include "tests/unit/timeline/round_trip.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

TEST_CASE("timeline: programs by chance come back from OTF2 and Paraver", "[timeline]") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::string text = random_program(seed), name = "seed " + std::to_string(seed);
    CAPTURE(name, text);
    const Trace trace = assemble(text, name);
    for (const auto& finding : check(trace)) {
      CAPTURE(finding.where, finding.problem);
      CHECK(finding.severity != Severity::error);
    }
    check_round_trip(trace, name, sim::TimelineFormat::otf2);
    check_round_trip(trace, name, sim::TimelineFormat::prv);
  }
}
