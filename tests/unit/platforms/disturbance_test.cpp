// SPDX-License-Identifier: MIT
// Times of a busy machine: what is refused, and why.
#include "platforms/calibration/disturbance.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace reprise;
using namespace reprise::platforms;

namespace {

Measurements one_way(std::vector<Sample> samples) {
  Measurements measured;
  measured.series = {{Series::What::kOneWay, MeasuredPath::kIntraNode, 1, "pingpong", "p.json",
                      std::move(samples)}};
  return measured;
}

}  // namespace

TEST_CASE("disturbance: single medians may hold time slices, more than a tenth may not",
          "[platforms]") {
  std::vector<Sample> samples;
  for (std::uint64_t i = 0; i < 50; ++i) samples.push_back({Bytes{i}, Seconds{1e-6}, i < 5});
  CHECK(disturbance_of(one_way(samples)).refusal.empty());
  CHECK(disturbance_of(one_way(samples)).disturbed == 5);
  samples[5].is_disturbed = true;
  CHECK(disturbance_of(one_way(samples)).refusal ==
        "6 of 50 measured times include time slices of other processes");
  samples.resize(4);
  CHECK(disturbance_of(one_way(samples)).refusal.empty());
}

TEST_CASE("disturbance: a machine that was mostly in another state, by time slices",
          "[platforms]") {
  Measurements measured = one_way({{Bytes{8}, Seconds{1e-6}}, {Bytes{16}, Seconds{1e-6}}});
  const auto refusal = [&](double most, std::uint64_t other) {
    measured.references = {{MeasuredPath::kIntraNode, Bytes{262144}, Seconds{102e-6},
                            Seconds{75e-6}, Seconds{most}, 0.35, other}};
    return disturbance_of(measured).refusal;
  };
  CHECK(refusal(164e-3, 2) ==
        "2 of 2 times were measured while the machine did something else: 256 KiB took up to 164 "
        "ms, usually 102 us");
  CHECK(refusal(164e-3, 1).empty());
  CHECK(refusal(0.5e-3, 2).empty());  // cores of a virtual machine that change place
}

TEST_CASE("disturbance: small messages of milliseconds and larger ones that are far faster",
          "[platforms]") {
  CHECK(disturbance_of(one_way({{Bytes{8}, Seconds{266002e-6}}, {Bytes{65536}, Seconds{2e-5}}}))
            .refusal == "8 B took 266 ms");
  CHECK(
      disturbance_of(one_way({{Bytes{131072}, Seconds{17985e-6}}, {Bytes{262144}, Seconds{5e-5}}}))
          .refusal == "128 KiB took 17.99 ms, and 256 KiB took 50 us");
  // Slow networks, and the step down behind an eager limit.
  CHECK(disturbance_of(one_way({{Bytes{8}, Seconds{0.9e-3}}, {Bytes{65536}, Seconds{8e-3}}}))
            .refusal.empty());
  CHECK(disturbance_of(one_way({{Bytes{4096}, Seconds{9e-6}}, {Bytes{8192}, Seconds{1e-6}}}))
            .refusal.empty());
}

TEST_CASE("disturbance: times of other things than messages may fall with size", "[platforms]") {
  Measurements measured = one_way({{Bytes{8}, Seconds{1e-6}}});
  measured.series.push_back({Series::What::kOther,
                             MeasuredPath::kIntraNode,
                             1,
                             "bcast",
                             "p.json",
                             {{Bytes{8}, Seconds{2e-3}}, {Bytes{64}, Seconds{1e-6}}}});
  CHECK(disturbance_of(measured).refusal.empty());
}

TEST_CASE("disturbance: a probe that did not get through", "[platforms]") {
  Measurements measured = one_way({{Bytes{8}, Seconds{1e-6}}});
  measured.not_measured = 7;
  CHECK(disturbance_of(measured).refusal ==
        "the probe had no time for 7 of 8 times, within six times --seconds");
}
