// SPDX-License-Identifier: MIT
// Whether it is said that the run time depends on MPI's progress, in closed form: a message of time t on its way while both of its ranks compute 2t.
// It is there after 2t if it progresses meanwhile; inside calls only, it starts when they have computed, and is there after 3t.
#include "sim/experiment/progress_in_calls.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

constexpr double kComputed = 2 * 4e6 / 3.125e9;  // of one message of 4 MB on its link of 25 Gbit/s

trace_io::Trace halves(const std::string& bytes, const std::string& last = "wait") {
  const std::string compute = std::to_string(static_cast<long>(kComputed * 1e9)) + "ns";
  const std::string wait = "MPI_Waitall requests=[0]";
  return trace_io::assemble(
      "reprise-text 1\nranks 2\nthread 0 {\n"
      "  ranks 0: MPI_Isend peer=1 tag=7 bytes=" +
          bytes + " request=0\n  ranks 1: MPI_Irecv peer=0 tag=7 bytes=" + bytes + " request=0\n" +
          (last == "wait" ? "  " + wait + " | compute " + compute + "\n"
                          : "  " + wait + "\n  MPI_Finalize | compute " + compute + "\n") +
          "}\n",
      "test");
}

sim::Experiment experiment_of(const trace_io::Trace& trace) {
  sim::Experiment experiment;
  experiment.trace = &trace;
  experiment.trace_path = "test";
  sim::set_machine(experiment, "ethernet-25g");
  experiment.placement = "cyclic";
  experiment.overhead = 0;
  return experiment;
}

}  // namespace

TEST_CASE("progress in calls: what is computed while a message is under way decides",
          "[progress_in_calls]") {
  const trace_io::Trace trace = halves("4000000");
  const auto answer = sim::answer(experiment_of(trace), {});
  CHECK(answer.outcome.predicted_time.value == Approx(kComputed).epsilon(1e-3));
  REQUIRE(answer.in_calls);
  const double in_calls = answer.in_calls->predicted.value;
  auto chosen = experiment_of(trace);
  chosen.set = {"/mpi/progress=in_calls"};
  const auto other = sim::answer(chosen, {});
  CHECK(in_calls == other.outcome.predicted_time.value);
  CHECK(in_calls == Approx(1.5 * kComputed).epsilon(0.1));
  const long more = std::lround(100 * (in_calls / answer.outcome.predicted_time.value - 1));
  const std::string text = describe(*answer.in_calls, answer.outcome);
  CHECK(text == "if MPI makes progress only inside its calls, the run takes " +
                    seconds_text(answer.in_calls->predicted) + ", " + std::to_string(more) +
                    "% more time: the platform's file does not say whether large messages "
                    "progress while ranks compute, which is assumed (--set "
                    "/mpi/progress=in_calls, or =asynchronous, decides; platform calibrate "
                    "measures it)");
  CHECK(answer.remarks.back() == text);
  CHECK(how_sure(answer).find("; how MPI makes progress matters (asynchronous " +
                              seconds_text(answer.outcome.predicted_time) + ", in_calls " +
                              seconds_text(answer.in_calls->predicted) + ")") != std::string::npos);
  CHECK(to_json(answer, false)["progress_in_calls"]["predicted_time_s"] == in_calls);
}

TEST_CASE("progress in calls: whoever has said which is not told", "[progress_in_calls]") {
  const trace_io::Trace trace = halves("4000000");
  for (const std::string said : {"in_calls", "asynchronous"}) {
    auto experiment = experiment_of(trace);
    experiment.set = {"/mpi/progress=" + said};
    const auto answer = sim::answer(experiment, {});
    REQUIRE(answer.in_calls);
    CHECK(answer.in_calls->is_settled);
    CHECK_FALSE(answer.in_calls->is_noticed);
    CHECK(answer.in_calls->predicted.value == answer.outcome.predicted_time.value);
  }
  auto base = experiment_of(trace);
  base.machine.value["mpi"]["progress"] = "asynchronous";
  base.machine.value["mpi"]["source"]["progress"] = "the base's";
  CHECK(sim::answer(base, {}).in_calls->is_noticed);
  CHECK_FALSE(sim::answer(experiment_of(trace), {.details = {}, .progress = false}).in_calls);
}

TEST_CASE("progress in calls: nothing is said where it cannot matter", "[progress_in_calls]") {
  const trace_io::Trace eager = halves("1000"), behind = halves("4000000", "behind");
  for (const auto* trace : {&eager, &behind}) {
    const auto answer = sim::answer(experiment_of(*trace), {});
    CHECK_FALSE(answer.in_calls->is_noticed);
    CHECK(answer.in_calls->predicted.value == answer.outcome.predicted_time.value);
    CHECK(answer.remarks.empty());
  }
}

TEST_CASE("progress in calls: what is computed while non-blocking calls are under way",
          "[progress_in_calls]") {
  const auto parts = [](const std::string& calls) {
    return sim::overlapped_computing(
        trace_io::assemble("reprise-text 1\nranks 2\nthread 0 {\n" + calls + "}\n", "test"));
  };
  const std::string start =
      "ranks 0: MPI_Isend peer=1 bytes=1kB request=0\n"
      "ranks 1: MPI_Irecv peer=0 bytes=1kB request=0\n";
  CHECK(parts(start + "MPI_Waitall requests=[0] | compute 1ms\nMPI_Barrier | compute 3ms\n")
            .messages == 0.25);
  CHECK(parts(start + "MPI_Barrier | compute 1ms\nMPI_Waitall requests=[0]\n").messages == 1);
  CHECK(parts("MPI_Barrier | compute 1ms\n" + start + "MPI_Waitall requests=[0]\n").messages == 0);
  CHECK(parts("MPI_Ibarrier request=0\nMPI_Waitall requests=[0] | compute 1ms\n").collectives == 1);
  CHECK(parts("MPI_Ibarrier request=0\nMPI_Waitall requests=[0] | compute 1ms\n").messages == 0);
  // Started at the end of a body, under way at its beginning.
  CHECK(parts(start + "loop 3 {\nMPI_Waitall requests=[0] | compute 1ms\n" + start +
              "}\nMPI_Waitall requests=[0]\n")
            .messages == 1);
  CHECK(parts("loop 3 {\nMPI_Barrier | compute 1ms\n" + start + "}\n").messages == 1);
}

}  // namespace reprise::test
