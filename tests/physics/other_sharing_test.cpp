// SPDX-License-Identifier: MIT
// Whether the rule by which messages share links decides the run time, in closed form: rank 0 sends the same to two others at once. Of size t on its
// link, max-min fair shares deliver both after 2t, whole messages one after the other the first after t; so does its receiver compute from then.
#include "sim/experiment/other_sharing.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/experiment/imbalance.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

sim::Experiment experiment_of(const trace_io::Trace& trace, sim::NetworkKind network) {
  sim::Experiment experiment;
  experiment.trace = &trace;
  experiment.trace_path = "test";
  sim::set_machine(experiment, "ethernet-25g");
  experiment.placement = "cyclic";
  experiment.latency = experiment.overhead = 0;
  experiment.settings.network = network;
  return experiment;
}

trace_io::Trace two_receivers(const std::string& calls_behind) {
  return trace_io::assemble(
      "reprise-text 1\nranks 3\nthread 0 {\n"
      "  ranks 0: MPI_Isend peer=1 tag=7 bytes=4000000 request=0\n"
      "  ranks 0: MPI_Isend peer=2 tag=7 bytes=4000000 request=1\n"
      "  ranks 1-2: MPI_Recv peer=0 tag=7 bytes=4000000 matched_peer=0\n"
      "  ranks 0: MPI_Waitall requests=[0,1]\n" +
          calls_behind + "}\n",
      "test");
}

double predicted(const trace_io::Trace& trace, sim::NetworkKind network) {
  return sim::answer(experiment_of(trace, network), {}).outcome.predicted_time.value;
}

}  // namespace

TEST_CASE("other sharing: a message that is needed first", "[other_sharing]") {
  const trace_io::Trace alone = two_receivers("");
  const double twice = predicted(alone, sim::NetworkKind::flow), t = twice / 2;
  REQUIRE(predicted(alone, sim::NetworkKind::queue) == Approx(twice).epsilon(1e-3));
  const std::string compute = std::to_string(static_cast<long>(3 * t * 1e9)) + "ns";
  const trace_io::Trace trace =
      two_receivers("  ranks 1: MPI_Finalize | compute " + compute + "\n");

  const auto flow = sim::answer(experiment_of(trace, sim::NetworkKind::flow), {});
  CHECK(flow.outcome.predicted_time.value == Approx(5 * t).epsilon(1e-3));
  REQUIRE(flow.other_sharing);
  CHECK(flow.other_sharing->network == sim::NetworkKind::queue);
  CHECK(flow.other_sharing->predicted.value == Approx(4 * t).epsilon(1e-3));
  const std::string text = describe(*flow.other_sharing, flow.outcome);
  CHECK(text ==
        "by network queue (each link serves whole messages one after the other) the run "
        "takes " +
            seconds_text(flow.other_sharing->predicted) +
            ", 20% less time: the run time depends strongly on how messages share links "
            "(--network all shows what each model says)");
  CHECK(flow.remarks.back() == text);
  CHECK(how_sure(flow).find(
            "; network models differ (flow " + seconds_text(flow.outcome.predicted_time) +
            ", queue " + seconds_text(flow.other_sharing->predicted) + ")") != std::string::npos);

  const auto queue = sim::answer(experiment_of(trace, sim::NetworkKind::queue), {});
  REQUIRE(queue.other_sharing);
  CHECK(queue.other_sharing->network == sim::NetworkKind::flow);
  CHECK(queue.other_sharing->predicted.value == Approx(5 * t).epsilon(1e-3));
}

TEST_CASE("other sharing: nothing is said where the rules agree, or nothing is compared",
          "[other_sharing]") {
  const trace_io::Trace trace = two_receivers("");
  const auto alike = sim::answer(experiment_of(trace, sim::NetworkKind::flow), {});
  REQUIRE(alike.other_sharing);  // a comparison with another answer needs it
  CHECK_FALSE(alike.other_sharing->is_noticed);
  CHECK(alike.remarks.empty());
  CHECK(to_json(alike, false)["other_sharing"]["predicted_time_s"] ==
        predicted(trace, sim::NetworkKind::queue));
  const double t = predicted(trace, sim::NetworkKind::flow) / 2;
  const trace_io::Trace first =
      two_receivers("  ranks 1: MPI_Finalize | compute " +
                    std::to_string(static_cast<long>(3 * t * 1e9)) + "ns\n");
  CHECK_FALSE(sim::answer(experiment_of(first, sim::NetworkKind::uncontended), {}).other_sharing);
  CHECK_FALSE(sim::answer(experiment_of(first, sim::NetworkKind::flow),
                          {.details = {}, .other_sharing = false})
                  .other_sharing);
  CHECK_FALSE(sim::other_sharing(sim::NetworkKind::uncontended));
  CHECK(sim::other_sharing(sim::NetworkKind::simgrid) == sim::NetworkKind::queue);
}

// Rank 1 computes 3t behind its message and rank 2 nothing; evened out both compute 1.5t. Max-min: 5t become 3.5t, a share of 30 %; one after the
// other: rank 1 is done at 4t; evened out rank 2 at 2t + 1.5t, and rank 1 before: 12.5 %.
TEST_CASE("other sharing: what balancing saves", "[other_sharing][imbalance]") {
  const double t = predicted(two_receivers(""), sim::NetworkKind::flow) / 2;
  const trace_io::Trace trace = two_receivers(
      "  ranks 1-2: MPI_Finalize | compute {1: " + std::to_string(static_cast<long>(3 * t * 1e9)) +
      "ns; 2: 1ns}\n");
  const auto answer = sim::find_imbalance(experiment_of(trace, sim::NetworkKind::flow));
  REQUIRE_FALSE(answer.rows.empty());
  CHECK(answer.rows.front().saved == Approx(1.5 * t).epsilon(1e-3));
  REQUIRE(answer.other_sharing);
  CHECK(answer.other_sharing->network == sim::NetworkKind::queue);
  CHECK(answer.other_sharing->predicted == Approx(4 * t).epsilon(1e-3));
  CHECK(answer.other_sharing->saved == Approx(0.5 * t).epsilon(1e-2));
}

}  // namespace reprise::test
