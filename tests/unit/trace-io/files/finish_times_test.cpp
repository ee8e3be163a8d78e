// SPDX-License-Identifier: MIT
// What a file says about finishing, behind its payload: it comes back, and whoever does not ask for it reads the same trace.
#include "trace-io/file/finish_times.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::trace_io::testing {
namespace {

TEST_CASE("finish_times: come back, to a microsecond or eight bits", "[files]") {
  auto file = serialise(random_trace(1));
  REQUIRE_FALSE(finish_times(file));
  append_finish_times(
      file, {Nanoseconds{250'400}, Nanoseconds{0}, Nanoseconds{3'000'000'000}, Nanoseconds{999}});
  const auto times = finish_times(file);
  REQUIRE(times);
  CHECK(times->fold == Nanoseconds{250'000});
  CHECK(times->finalize == Nanoseconds{0});
  CHECK(times->write.value > 2'988'000'000);  // 2⁻⁸ off at most
  CHECK(times->write.value < 3'012'000'000);
  CHECK(times->symbols == Nanoseconds{1000});
}

TEST_CASE("finish_times: the trace is the same with them", "[files]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto without = serialise(random_trace(seed));
    auto with = without;
    append_finish_times(with, {Nanoseconds{1'000}, Nanoseconds{2'000}, Nanoseconds{3'000}, {}});
    CHECK(with.size() == without.size() + 16);
    CHECK(serialise(deserialise(with, "with")) == without);
  }
}

TEST_CASE("finish_times: frames of another kind or length are passed over", "[files]") {
  auto file = serialise(random_trace(2));
  const std::vector<std::byte> zeros(5);
  append_frame(file, FrameKind::padding, zeros);
  CHECK_FALSE(finish_times(file));
  append_frame(file, FrameKind::finish_times, zeros);
  CHECK_FALSE(finish_times(file));
  CHECK_NOTHROW(deserialise(file, "file"));
}

}  // namespace
}  // namespace reprise::trace_io::testing
