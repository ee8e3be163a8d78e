// SPDX-License-Identifier: MIT
// Where another path takes over, in programs of two paths.
#include "sim/experiment/details/take_over.hpp"

#include <string>

#include "sim/experiment/answer.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

sim::TakeOvers take_overs_of(int ranks, const std::string& calls,
                             const platforms::Platform& machine) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  return *sim::replayed(trace, machine, {}, {.details = sim::parse_details("take-over")})
              .figure<sim::TakeOvers>();
}

constexpr double kBytes = 50e3, kHidden = 20e-6, kBehind = 30e-6;
// System: rank 1 computes 20 µs while 50 kB are on their way, then 30 µs behind them: T = max(o_s + L + n/B, 20 µs) + o_r + 30 µs.
const std::string kTwoPaths = R"(ranks 0: MPI_Send peer=1 bytes=50kB
    ranks 1: MPI_Irecv peer=0 bytes=50kB request=0
    ranks 1: MPI_Wait request=0 | compute 20us
    ranks 1: MPI_Finalize | compute 30us)";

}  // namespace

TEST_CASE("take-over: a bandwidth's is where computing hides the message", "[physics]") {
  const auto all = take_overs_of(2, kTwoPaths, star(2));
  const auto& bandwidth = all.of[1];
  const double at = kBytes / kBandwidth / (kHidden - kSendOverhead - kLatency);
  REQUIRE(bandwidth.faster);
  CHECK(bandwidth.faster->same_to == Approx(at).epsilon(1e-6));
  CHECK(bandwidth.faster->other_from == Approx(at).epsilon(1e-6));
  CHECK_FALSE(bandwidth.slower);
  // Beyond it the message is hidden: nothing is left of the bandwidth.
  REQUIRE(bandwidth.negligible);
  CHECK(bandwidth.negligible->other_from == Approx(at).epsilon(2e-3));
  CHECK(bandwidth.replays <= 24);
}

TEST_CASE("take-over: computing's is where it no longer hides behind the message", "[physics]") {
  const auto all = take_overs_of(2, kTwoPaths, star(2));
  const auto& compute = all.of[2];
  REQUIRE(compute.slower);
  CHECK(compute.slower->same_to == Approx((kSendOverhead + wire(kBytes)) / kHidden).epsilon(1e-6));
  CHECK_FALSE(compute.faster);
  // 30 µs·x are 1 % of the whole.
  const double rest = kSendOverhead + wire(kBytes) + kReceiveOverhead;
  REQUIRE(compute.negligible);
  CHECK(compute.negligible->same_to == Approx(0.01 / 0.99 * rest / kBehind).epsilon(1e-3));
}

TEST_CASE("take-over: what is nowhere takes nothing over, and does not matter", "[physics]") {
  const auto all =
      take_overs_of(2, "MPI_Send peer=null bytes=0 | compute {0: 1ms; 1: 2ms}", star(2));
  for (const std::size_t links : {0u, 1u}) {
    CHECK_FALSE(all.of[links].faster);
    CHECK_FALSE(all.of[links].slower);
    REQUIRE(all.of[links].negligible);
    CHECK(all.of[links].negligible->same_to == 1);
  }
  CHECK_FALSE(all.of[2].negligible);
}

}  // namespace reprise::test
