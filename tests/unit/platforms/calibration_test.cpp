// SPDX-License-Identifier: MIT
// From measurements to a platform: the pieces of a piecewise function, the fit of a path.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "platforms/calibration/base_curve.hpp"
#include "platforms/calibration/calibrated_platform.hpp"
#include "platforms/calibration/message_costs.hpp"
#include "platforms/calibration/piecewise.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

// What the probe asks for.
std::vector<Bytes> sizes() {
  std::vector<Bytes> made{Bytes{0}, Bytes{1}};
  for (std::uint64_t power = 2; power <= 4 << 20; power *= 2) {
    made.push_back(Bytes{power});
    if (power >= 64 && power < 4 << 20) made.push_back(Bytes{power + power / 2});
  }
  return made;
}

// Three protocols: eager, eager in pieces, rendezvous above 4 KiB.
const std::vector<Piece> kPieces{
    {Bytes{0}, 0.4e-6, 0.05e-9}, {Bytes{512}, 0.6e-6, 0.2e-9}, {Bytes{4097}, 2e-6, 0.1e-9}};

std::vector<Sample> one_way() {
  std::vector<Sample> samples;
  for (const Bytes size : sizes()) samples.push_back({size, time_of(kPieces, size)});
  return samples;
}

// A machine that does what the model says: exchanges take 0.3 us more from 512 B on, and half as long again by bandwidth.
Measurements ideal(MeasuredPath path = MeasuredPath::kIntraNode) {
  Measurements measured;
  std::vector<Sample> exchange;
  for (const Sample& one : one_way()) {
    const double late = one.bytes.value >= 512 ? 0.3e-6 : 0;
    double per_byte = 0;
    for (const Piece& piece : kPieces)
      if (piece.from <= one.bytes) per_byte = piece.per_byte_s;
    exchange.push_back(
        {one.bytes,
         one.time + Seconds{late + 0.5 * per_byte * static_cast<double>(one.bytes.value)}});
  }
  using What = Series::What;
  measured.series = {
      {What::kOneWay, path, 1, "pingpong", "p.json", one_way()},
      {What::kExchange, path, 1, "exchange", "p.json", exchange},
      {What::kSendOverhead, path, 1, "send_overhead", "p.json", {{Bytes{0}, Seconds{0.1e-6}}}},
      {What::kRecvOverhead, path, 1, "recv_overhead", "p.json", {{Bytes{0}, Seconds{0.2e-6}}}}};
  measured.eager_limits = {{path, Bytes{4096}, false, "p.json"}};
  return measured;
}

double alone(const Platform& platform, Bytes bytes) {
  const Mpi& mpi = platform.intra_node_mpi;
  const double bandwidth = platform.intra_node_per_receiver
                               ? platform.intra_node_per_receiver->value
                               : platform.intra_node.bandwidth.value;
  return mpi.send_overhead.value + platform.intra_node.latency.value * mpi.latency_factor(bytes) +
         static_cast<double>(bytes.value) / (bandwidth * mpi.bandwidth_factor(bytes)) +
         mpi.recv_overhead.value;
}

const std::string kOsuAllreduce =
    "\n# OSU MPI Allreduce Latency Test v5.6.2\n"
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    "4                       2.50              2.40              2.60        1000\n";

template <class Call>
std::string message_of(Call call) {
  return corpus::message_of(call);
}

}  // namespace

TEST_CASE("piecewise: the fit finds a piecewise linear function again", "[platforms]") {
  const auto samples = one_way();
  const auto pieces = fit_pieces(samples, {});
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0].from == Bytes{0});
  CHECK(pieces[1].from == Bytes{512});
  CHECK(pieces[2].from == Bytes{6144});  // the first measured size of it
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CHECK(pieces[i].start_s == Approx(kPieces[i].start_s).epsilon(1e-9));
    CHECK(pieces[i].per_byte_s == Approx(kPieces[i].per_byte_s).epsilon(1e-9));
  }
}

TEST_CASE("piecewise: one straight line stays one piece, with noise and without", "[platforms]") {
  std::vector<Sample> samples;
  double sign = 1;
  for (const Bytes size : sizes()) {
    samples.push_back(
        {size, Seconds{(1e-6 + 0.1e-9 * static_cast<double>(size.value)) * (1 + 0.01 * sign)}});
    sign = -sign;
  }
  const auto pieces = fit_pieces(samples, {});
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].start_s == Approx(1e-6).epsilon(0.01));
  CHECK(pieces[0].per_byte_s == Approx(0.1e-9).epsilon(0.01));
}

TEST_CASE("piecewise: bounds hold where the times would have it otherwise", "[platforms]") {
  const std::vector<Sample> falling{
      {Bytes{100}, Seconds{3e-6}}, {Bytes{200}, Seconds{2e-6}}, {Bytes{300}, Seconds{1e-6}}};
  const auto level = fit_pieces(falling, {0, 1e-12});
  REQUIRE(level.size() == 1);
  CHECK(level[0].per_byte_s == 1e-12);
  const std::vector<Sample> steep{
      {Bytes{100}, Seconds{1e-6}}, {Bytes{200}, Seconds{2e-6}}, {Bytes{300}, Seconds{3e-6}}};
  const auto raised = fit_pieces(steep, {0.5e-6, 0});
  REQUIRE(raised.size() == 1);
  CHECK(raised[0].start_s == 0.5e-6);
}

TEST_CASE("piecewise: levels are found with their ranges", "[platforms]") {
  std::vector<LevelSample> samples;
  for (const Bytes size : sizes())
    samples.push_back({size, size.value < 32768 ? 40e9 : 12e9, size.value < 32768 ? 40e9 : 12e9});
  const auto levels = fit_levels(samples);
  REQUIRE(levels.size() == 2);
  CHECK(levels[1].from == Bytes{32768});
  CHECK(levels[0].value == Approx(40e9));
  CHECK(levels[1].value == Approx(12e9));
}

TEST_CASE("calibrate: a machine that follows the model is found again from its own times",
          "[platforms]") {
  const Calibration made = calibrate(ideal(), {"ideal", 1, 4, std::nullopt});
  const Platform platform = parse_platform({made.platform, "ideal.json"});
  for (const Sample& sample : one_way()) {
    INFO(sample.bytes.value);
    CHECK(alone(platform, sample.bytes) ==
          Approx(sample.time.value).epsilon(2e-3));  // numbers have four digits in the file
  }
  CHECK(platform.nodes.cores == 4);
  CHECK(platform.intra_node.latency.value == Approx(0.1e-6));
  CHECK(platform.intra_node_mpi.eager_limit == Bytes{4096});
  CHECK(platform.intra_node_mpi.progress == Progress::kInCalls);
  CHECK_FALSE(platform.intra_node_mpi.rendezvous_handshake);
  CHECK(platform.intra_node_per_receiver->value == Approx(10e9));
  CHECK(platform.intra_node.bandwidth.value == Approx(20e9 / 1.5).epsilon(0.01));
  CHECK(platform.intra_node_mpi.acknowledgement(Bytes{256}).value == 0);
  CHECK(platform.intra_node_mpi.acknowledgement(Bytes{1024}).value ==
        Approx(0.5e-6).epsilon(0.02));  // the receive overhead and 0.3 us
  REQUIRE(platform.intra_node_mpi.uncertainty);
  CHECK(platform.intra_node_mpi.uncertainty->largest < 0.02);
  CHECK(platform.intra_node_mpi.uncertainty->residuals.size() == sizes().size());
}

// Two messages that pass each other move 4 GB/s together, whatever the rate of one is at its size: 1.5 GB/s, or up to 3.5 alone.
TEST_CASE("calibrate: one capacity for all sizes is distinguished from a share of each size's rate",
          "[platforms]") {
  constexpr double kTogether = 4e9;
  const std::vector<Piece> pieces{{Bytes{0}, 0.4e-6, 0.05e-9},
                                  {Bytes{512}, 0.6e-6, 1 / 1.5e9},
                                  {Bytes{1 << 20}, 100e-6, 1 / 3.8e9}};
  Measurements measured = ideal();
  auto &alone = measured.series[0].samples, &exchange = measured.series[1].samples;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    alone[i].time = time_of(pieces, alone[i].bytes);
    const double shared = 0.4e-6 + 2 * static_cast<double>(alone[i].bytes.value) / kTogether;
    exchange[i].time = Seconds{std::max(alone[i].time.value, shared)};
  }
  measured.eager_limits.front().bytes = Bytes{511};
  const Calibration made = calibrate(measured, {"ideal", 1, 2, std::nullopt});
  const Platform platform = parse_platform({made.platform, "ideal.json"});
  CHECK(platform.intra_node_mpi.factors_apply_to == FactorsApplyTo::kMessages);
  CHECK(made.platform["mpi"]["source"]["factors_apply_to"] == "fitted to p.json");
  CHECK(platform.intra_node.bandwidth.value == Approx(kTogether).epsilon(0.01));
  CHECK(platform.intra_node_per_receiver->value == Approx(3.8e9));
  CHECK(made.platform["intra_node"]["source"]["bandwidth"] ==
        "fitted to p.json: 2 messages at once; more may go faster");
  for (const Sample& sample : alone) {
    INFO(sample.bytes.value);
    CHECK(one_way_time(platform, MeasuredPath::kIntraNode, sample.bytes).value ==
          Approx(sample.time.value).epsilon(0.02));
  }
  REQUIRE(platform.intra_node_mpi.uncertainty);
  CHECK(platform.intra_node_mpi.uncertainty->largest < 0.08);
  // A base that says so says it of its own factors.
  CalibrationSettings on_base{"again", 1, 2, std::nullopt};
  on_base.base = Document{made.platform, "base.json"};
  const Platform again = parse_platform({calibrate(ideal(), on_base).platform, "again.json"});
  CHECK(again.intra_node_mpi.factors_apply_to == FactorsApplyTo::kLinks);
}

TEST_CASE(
    "calibrate: what computing before a call costs is the difference to the same call without",
    "[platforms]") {
  using What = Series::What;
  const auto cold = [](What what, const char* name, double after, std::vector<Sample> samples) {
    return Series{what,          MeasuredPath::kIntraNode, 1, name, "p.json", std::move(samples),
                  Seconds{after}};
  };
  Measurements measured = ideal();
  for (const double after : {0.0, 1e-3}) {
    const double more = after > 0 ? 1 : 0;
    measured.series.push_back(cold(
        What::kColdSend, "cold_send", after,
        {{Bytes{8}, Seconds{1e-7 + more * 1e-6}}, {Bytes{1024}, Seconds{2e-7 + more * 2e-6}}}));
    measured.series.push_back(cold(
        What::kColdReceive, "cold_recv", after,
        {{Bytes{8}, Seconds{2e-7 + more * 5e-7}}, {Bytes{1024}, Seconds{4e-7 - more * 1e-7}}}));
    measured.series.push_back(
        cold(What::kColdRoundTrip, "cold_round_trip", after,
             {{Bytes{16384}, Seconds{4e-6 + more * 7.5e-6}}, {Bytes{65536}, Seconds{9e-6}}}));
    measured.series.push_back(
        cold(What::kColdCopy, "cold_copy", after, {{Bytes{16384}, Seconds{1e-6 + more * 3e-6}}}));
  }
  const Calibration made = calibrate(measured, {"ideal", 1, 4, std::nullopt});
  const Platform platform = parse_platform({made.platform, "ideal.json"});
  REQUIRE(platform.mpi.cold_caches.size() == 1);
  const auto& level = platform.mpi.cold_caches.front();
  CHECK(level.after == Seconds{1e-3});
  CHECK(level.send_overhead == std::vector<SizePoint>{{Bytes{8}, Seconds{1e-6}},
                                                      {Bytes{1024}, Seconds{2e-6}},
                                                      {Bytes{4097}, Seconds{1e-6}}});
  // All that a large message's bytes cost is its receiver's: its round trip is as much longer as was measured.
  const auto cost = [&](ColdCost of, std::uint64_t bytes) {
    return cold_cost(platform.mpi.cold_caches, of, Seconds{1e-3}, Bytes{bytes}).value;
  };
  CHECK(cost(&ColdCosts::send_overhead, 16384) + cost(&ColdCosts::recv_overhead, 16384) +
            cost(&ColdCosts::recv_overhead, 0) ==
        Approx(7.5e-6));
  CHECK(level.recv_overhead == std::vector<SizePoint>{{Bytes{8}, Seconds{0.5e-6}},
                                                      {Bytes{1024}, Seconds{0}},
                                                      {Bytes{16384}, Seconds{6e-6}},
                                                      {Bytes{65536}, Seconds{0}}});
  CHECK(level.copy == std::vector<SizePoint>{{Bytes{16384}, Seconds{3e-6}}});
  CHECK(platform.intra_node_mpi.cold_caches == platform.mpi.cold_caches);
  CHECK(made.platform["mpi"]["source"]["cold_caches"] == "measured, p.json");
}

TEST_CASE("calibrate: what other processes take is no cold cache", "[platforms]") {
  const auto cold = [](double after, std::vector<Sample> samples) {
    return Series{Series::What::kColdSend,
                  MeasuredPath::kIntraNode,
                  1,
                  "cold_send",
                  "p.json",
                  std::move(samples),
                  Seconds{after}};
  };
  Measurements measured = ideal();
  measured.series.push_back(cold(0, {{Bytes{8}, Seconds{1e-7}},
                                     {Bytes{1024}, Seconds{2e-7}, true},
                                     {Bytes{4096}, Seconds{4e-7}}}));
  measured.series.push_back(cold(
      1e-3,
      {{Bytes{8}, Seconds{1.1e-6}}, {Bytes{1024}, Seconds{3e-6}}, {Bytes{4096}, Seconds{4e-3}}}));
  const Calibration made = calibrate(measured, {"ideal", 1, 4, std::nullopt});
  const Platform platform = parse_platform({made.platform, "ideal.json"});
  REQUIRE(platform.mpi.cold_caches.size() == 1);
  CHECK(platform.mpi.cold_caches.front().send_overhead ==
        std::vector<SizePoint>{{Bytes{8}, Seconds{1e-6}}});
  std::size_t times = 0;
  for (const Series& series : measured.series) times += series.samples.size();
  const std::vector<std::string> expected{
      "2 times of messages after computing inside a node are left out: longer than cold caches "
      "explain, because other processes had the core; measure again on an idle machine",
      "1 of " + std::to_string(times) +
          " medians include time slices of other processes, so 10 % quantiles are used; measure "
          "again on an idle machine"};
  for (const std::string& remark : expected)
    CHECK(std::count(made.remarks.begin(), made.remarks.end(), remark) == 1);
}

TEST_CASE("calibrate: several nodes need times between them", "[platforms]") {
  const CalibrationSettings settings{"mine", 64, 32, std::nullopt};
  CHECK_THROWS_WITH(calibrate(ideal(), settings),
                    "reprise platform calibrate: 64 nodes, but only times inside a node were "
                    "measured\n  also measure between two nodes: mpirun -n 2 --map-by node "
                    "reprise-probe; or give a network with --base PLATFORM");
}

TEST_CASE("calibrate: every number of the platform has a source", "[platforms]") {
  const Calibration made = calibrate(ideal(), {"ideal", 1, 4, std::nullopt});
  for (const char* part : {"/intra_node", "/mpi"}) {
    const auto& object = made.platform.at(nlohmann::ordered_json::json_pointer(part));
    for (const auto& [key, value] : object.items()) {
      if (key == "source" || key == "mpi") continue;
      INFO(part << "/" << key);
      CHECK((value.is_object() ? value.contains("source") : object.at("source").contains(key)));
    }
  }
}

TEST_CASE("calibrate: residuals are what is left between fit and measurement", "[platforms]") {
  Measurements measured = ideal();
  measured.series[0].samples[10].time = measured.series[0].samples[10].time * 1.25;
  const auto fit = fit_path(measured, MeasuredPath::kIntraNode, Bytes{65536});
  REQUIRE(fit);
  CHECK(fit->mpi.uncertainty->largest > 0.1);
  double squares = 0;
  for (const FittedTime& time : fit->times) squares += std::pow(time.fitted / time.measured - 1, 2);
  CHECK(fit->mpi.uncertainty->typical ==
        Approx(std::sqrt(squares / static_cast<double>(fit->times.size()))));
}

TEST_CASE("calibrate: what was not measured is the base's", "[platforms]") {
  CalibrationSettings settings{"mine", std::nullopt, std::nullopt,
                               corpus::document("accepted/every_key.json")};
  const Calibration made = calibrate(ideal(), settings);
  const Platform platform = parse_platform({made.platform, "mine.json"}),
                 base = corpus::platform("accepted/every_key.json");
  CHECK(platform.nodes.count == base.nodes.count);
  CHECK(platform.mpi.eager_limit == base.mpi.eager_limit);
  CHECK(platform.network->link.bandwidth == base.network->link.bandwidth);
  CHECK(platform.storage->read_bandwidth == base.storage->read_bandwidth);
  CHECK(platform.intra_node_mpi.eager_limit == Bytes{4096});
}

TEST_CASE("calibrate: two nodes become a star, with a handshake where there is room for one",
          "[platforms]") {
  Measurements measured = ideal(), between = ideal(MeasuredPath::kInterNode);
  measured.series.insert(measured.series.end(), between.series.begin(), between.series.end());
  measured.eager_limits.push_back(between.eager_limits.front());
  const Calibration made = calibrate(measured, {"two", 8, 4, std::nullopt});
  const Platform platform = parse_platform({made.platform, "two.json"});
  CHECK(platform.nodes.count == 8);
  REQUIRE(platform.network);
  CHECK(platform.network->link.latency.value == Approx(0.05e-6));  // up and down
  CHECK(platform.network->link.bandwidth.value == Approx(10e9));
  CHECK(platform.mpi.rendezvous_handshake);
  CHECK_FALSE(platform.intra_node_mpi.rendezvous_handshake);
  const double route = 2 * platform.network->link.latency.value;
  const Bytes large{1 << 20};
  CHECK(platform.mpi.send_overhead.value + platform.mpi.recv_overhead.value + 2 * route +
            route * platform.mpi.latency_factor(large) +
            static_cast<double>(large.value) /
                (platform.network->link.bandwidth.value * platform.mpi.bandwidth_factor(large)) ==
        Approx(time_of(kPieces, large).value).epsilon(2e-3));
}

TEST_CASE("calibrate: what cannot make a platform is refused", "[platforms]") {
  CHECK(message_of([] {
          calibrate(parse_osu(kOsuAllreduce, "a.txt", MeasuredPath::kIntraNode), {"a", {}, {}, {}});
        }) ==
        "reprise platform calibrate: no times of messages from one rank to another among what was "
        "measured\n"
        "  osu_latency, NetPIPE or reprise-probe measure them");
  CHECK(message_of([] {
          calibrate(ideal(MeasuredPath::kInterNode), {"a", {}, {}, {}});
        }) ==
        "reprise platform calibrate: nothing was measured inside a node\n  give a node with --base "
        "PLATFORM, or measure with two ranks on one node");
}

TEST_CASE("message costs: times of messages scale, computing does not", "[platforms]") {
  Platform platform = corpus::platform("accepted/every_key.json");
  CHECK(message_uncertainty(platform) == 0.04);
  const Platform dearer = with_message_costs(platform, 2);
  CHECK(dearer.mpi.send_overhead == platform.mpi.send_overhead * 2);
  CHECK(dearer.mpi.cold_caches[0].copy[0].time == platform.mpi.cold_caches[0].copy[0].time * 2);
  CHECK(dearer.mpi.cold_caches[0].after == platform.mpi.cold_caches[0].after);
  CHECK(dearer.network->link.latency == platform.network->link.latency * 2);
  CHECK(dearer.network->link.bandwidth.value == platform.network->link.bandwidth.value / 2);
  CHECK(std::get<FatTree>(dearer.network->topology).levels[1].link.bandwidth.value ==
        std::get<FatTree>(platform.network->topology).levels[1].link.bandwidth.value / 2);
  CHECK(dearer.intra_node_per_receiver->value == platform.intra_node_per_receiver->value / 2);
  CHECK(dearer.reduction_bandwidth->value == platform.reduction_bandwidth->value / 2);
  CHECK(dearer.nodes.core_speed == platform.nodes.core_speed);
  CHECK(dearer.storage->read_bandwidth == platform.storage->read_bandwidth);
}
