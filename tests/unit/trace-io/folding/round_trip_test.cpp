// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "tests/unit/trace-io/folding/structured_program.hpp"

namespace reprise::trace_io::testing {

TEST_CASE("thread_compressor: random programs come back exactly", "[trace-io]") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto [stream, sites] = run_of_random_program(seed, 600);
    INFO("seed " << seed);
    REQUIRE(decoded(folded(stream), sites) == stream);
  }
}

TEST_CASE("thread_compressor: a snapshot is the stream so far and recording goes on",
          "[trace-io]") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto [stream, sites] = run_of_random_program(seed, 300);
    ThreadCompressor compressor({});
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < stream.size(); ++i) {
      append(compressor, stream[i]);
      if (random() % 16 != 0) continue;
      INFO("seed " << seed << ", after event " << i);
      REQUIRE(decoded(compressor.program(), sites) ==
              Stream(stream.begin(), stream.begin() + static_cast<long>(i) + 1));
    }
    INFO("seed " << seed);
    REQUIRE(decoded(compressor.program(), sites) == stream);
    REQUIRE(compressor.events() == stream.size());
  }
}

}  // namespace reprise::trace_io::testing
