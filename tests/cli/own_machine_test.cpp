// SPDX-License-Identifier: MIT
// A platform from the program's own messages, against the closed form that the golden trace's times were made by.
#include "sim/experiment/own_machine.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "platforms/calibration/base_curve.hpp"
#include "platforms/load.hpp"
#include "sim/recorded_machine.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/message_times.hpp"

using namespace reprise;
using platforms::MeasuredPath;
using platforms::one_way_time;

namespace {

trace_io::Trace golden() {
  return trace_io::load(REPRISE_DOCS "/../tests/golden/v3/messages.reprise");
}

// 0.2 us + 0.5 us + n / (5 GB/s) + 0.3 us.
double true_time(std::uint64_t bytes) { return 1e-6 + static_cast<double>(bytes) / 5e9; }

platforms::Platform made_of(const trace_io::Trace& trace) {
  return platforms::parse_platform(sim::own_machine(trace));
}

}  // namespace

TEST_CASE("own_machine: latency, bandwidth, overheads and eager limit are those of the closed form",
          "[cli]") {
  const auto platform = made_of(golden());
  CHECK(platform.intra_node_mpi.send_overhead.value == Approx(0.2e-6).epsilon(0.07));
  CHECK(platform.intra_node_mpi.recv_overhead.value == Approx(0.3e-6).epsilon(0.07));
  CHECK(platform.intra_node.latency.value == Approx(0.5e-6).epsilon(0.07));
  CHECK(platform.intra_node_mpi.eager_limit == Bytes{16383});  // held back from 16 KiB on
  for (const std::uint64_t bytes : {8U, 64U, 512U, 1000U, 2048U, 5000U, 16384U, 131072U, 1048576U})
    CHECK(one_way_time(platform, MeasuredPath::kIntraNode, Bytes{bytes}).value ==
          Approx(true_time(bytes)).epsilon(0.05));
}

TEST_CASE("own_machine: what further bytes take is the base's", "[cli]") {
  const auto trace = golden();
  const auto platform = made_of(trace);
  const auto base = platforms::parse_platform(sim::recorded_machine(trace.header));
  constexpr std::uint64_t kMeasured = 1 << 20, kBeyond = 16 << 20;
  const auto further = [&](const platforms::Platform& machine) {
    return one_way_time(machine, MeasuredPath::kIntraNode, Bytes{kBeyond}).value -
           one_way_time(machine, MeasuredPath::kIntraNode, Bytes{kMeasured}).value;
  };
  CHECK(further(platform) == Approx(further(base)).epsilon(0.1));
}

TEST_CASE(
    "own_machine: a trace without sampled messages, or with few of a size, is on the assumed one",
    "[cli]") {
  auto trace = golden();
  auto few = *trace.messages;
  for (auto& cost : few.costs) cost.one_way = {};
  trace.messages = std::make_shared<const trace_io::MessageTimes>(few);
  CHECK(sim::own_machine(trace).value == sim::recorded_machine(trace.header).value);
  CHECK_THROWS_WITH(sim::calibrate_from(trace, "ring.reprise", {}),
                    "ring.reprise: no message size has 8 samples that a receiver had waited for\n  "
                    "sample more of them (--messages sample:100%), or use reprise-probe");
  trace.messages.reset();
  CHECK(sim::own_machine(trace).value == sim::recorded_machine(trace.header).value);
  CHECK(sim::describe_own_machine(trace) == sim::describe_recorded_machine(trace.header));
  CHECK_THROWS_WITH(sim::calibrate_from(trace, "ring.reprise", {}),
                    "ring.reprise: no message times were sampled\n  record the program with "
                    "--messages sample:1%");
}

TEST_CASE("own_machine: messages of more ranks than cores tell nothing of a machine", "[cli]") {
  auto trace = golden();
  trace.header.hosts.front().cores = 1;
  CHECK(sim::own_machine(trace).value == sim::recorded_machine(trace.header).value);
  CHECK(sim::describe_own_machine(trace) == sim::describe_recorded_machine(trace.header));
  CHECK(sim::calibrate_from(trace, "ring.reprise", {}).remarks.back() ==
        "the recording had more ranks than cores: its messages waited for time slices, and so will "
        "the platform's");
}

TEST_CASE("own_machine: the answer says that its messages were measured", "[cli]") {
  CHECK(sim::describe_own_machine(golden()) ==
        "the machine of the recording (1 node of 2 cores), its messages measured in the run: 126 "
        "messages");
}
