// SPDX-License-Identifier: MIT
// What a prediction takes over from the recording: the speed of its processors, and how many ranks share a node. It is said where another machine or
// another placement makes that an assumption, and only there.
#include "sim/experiment/recorded_computing.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/text/disturbance.hpp"
#include "trace-io/model/unseen_time.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

// 16 ranks that compute and wait for one another, recorded with RANKS on each host of CORES.
trace_io::Trace recorded_on(std::uint32_t ranks, std::uint32_t cores) {
  trace_io::Trace trace = trace_io::assemble(
      "reprise-text 1\nranks 16\nthread 0 {\n"
      "  ranks 0-15: MPI_Barrier | compute 1000000ns\n"
      "}\n",
      "test");
  for (std::uint32_t first = 0; first < 16; first += ranks) {
    std::vector<Rank> members;
    for (std::uint32_t i = 0; i < ranks; ++i)
      members.push_back(Rank{static_cast<std::int32_t>(first + i)});
    trace.header.hosts.push_back({.name = "host" + std::to_string(first / ranks),
                                  .cores = cores,
                                  .ranks = trace_io::RankList::from_ranks(std::move(members))});
  }
  return trace;
}

sim::Experiment on(const trace_io::Trace& trace, const std::string& placement) {
  sim::Experiment experiment;
  experiment.trace = &trace;
  experiment.trace_path = "test";
  sim::set_machine(experiment, "ethernet-10g");  // 32 nodes of 16 cores
  experiment.placement = placement;
  return experiment;
}

bool tells_sharing(const sim::Answer& answer) {
  for (const auto& remark : answer.remarks)
    if (remark.find("on a node at the same time") != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("recorded computing: more ranks on a node than when recorded", "[recorded_computing]") {
  const auto trace = recorded_on(2, 4);
  const auto full = sim::answer(on(trace, "block"), {});
  REQUIRE(full.sharing);
  CHECK(full.sharing->recorded == 2);
  CHECK(full.sharing->replayed == 16);
  CHECK(full.remarks.back() ==
        "up to 16 ranks compute on a node at the same time, 2 when recorded: that they share its "
        "caches and memory bandwidth is not included, so computing may take longer "
        "(--memory-traffic includes the bandwidth; trace memory estimates the traffic from two "
        "recordings)");
  CHECK(to_json(full, false)["node_sharing"] ==
        nlohmann::ordered_json{{"recorded", 2}, {"replayed", 16}});
  CHECK_FALSE(tells_sharing(sim::answer(on(trace, "ppr:2"), {})));
  CHECK_FALSE(tells_sharing(sim::answer(on(trace, "cyclic"), {})));  // two ranks are few
  auto known = on(trace, "block");
  known.memory_traffic = BytesPerSecond{1e9};
  CHECK_FALSE(tells_sharing(sim::answer(known, {})));
}

TEST_CASE("recorded computing: fewer ranks on a node than when recorded", "[recorded_computing]") {
  const auto trace = recorded_on(16, 16);
  CHECK_FALSE(tells_sharing(sim::answer(on(trace, "block"), {})));
  CHECK(sim::answer(on(trace, "cyclic"), {}).remarks.back() ==
        "up to 1 rank computes on a node at the same time, 16 when recorded: recorded times hold "
        "that ranks shared its caches and memory bandwidth, so computing may take less time");
  // Of 16 ranks on two cores no more than two ever computed at once.
  CHECK_FALSE(tells_sharing(sim::answer(on(recorded_on(16, 2), "cyclic"), {})));
  CHECK(tells_sharing(sim::answer(on(recorded_on(16, 2), "block"), {})));
}

TEST_CASE("recorded computing: processors as fast as the recording's", "[recorded_computing]") {
  const auto trace = recorded_on(16, 16);
  const std::string said = "; processors are taken to be as fast as the recording's";
  const auto plain = sim::answer(on(trace, "block"), {});
  CHECK(plain.computes_as_recorded);
  CHECK(how_sure(plain).find(said) != std::string::npos);
  auto faster = on(trace, "block");
  faster.set.push_back("/nodes/relative_speed=1.5");
  const auto other = sim::answer(faster, {});
  CHECK_FALSE(other.computes_as_recorded);
  CHECK(how_sure(other).find(said) == std::string::npos);
  CHECK(to_json(other, false)["computes_as_recorded"] == false);
  // On the machine of the recording it is no assumption.
  sim::Experiment own;
  own.trace = &trace;
  own.trace_path = "test";
  sim::set_machine(own, std::nullopt);
  CHECK(how_sure(sim::answer(own, {})).find(said) == std::string::npos);
}

TEST_CASE("recorded computing: what preempted the recording is left out", "[recorded_computing]") {
  auto trace = recorded_on(16, 16);
  trace.header.elapsed = Nanoseconds{1'000'000'000};
  trace.preemptions.emplace();
  trace.preemptions->ranks.push_back({.rank = Rank{3},
                                      .count = 2,
                                      .time = Nanoseconds{19'000'000},
                                      .compute = Nanoseconds{900'000'000}});
  const auto left_out = sim::answer(on(trace, "block"), {});
  CHECK(how_sure(left_out).find("; what preempted the recording (rank 3 for 1.9% of its run time) "
                                "is left out; processors") != std::string::npos);
  CHECK(to_json(left_out, false)["preemption_left_out"] ==
        nlohmann::ordered_json{{"rank", 3}, {"preempted_s", 0.019}, {"share", 0.019}});
  auto with_noise = on(trace, "block");
  with_noise.noise = "recorded";
  CHECK_FALSE(sim::answer(with_noise, {}).preemption_left_out);
  // Ranks that shared cores preempted one another.
  trace.header.hosts[0].cores = 8;
  CHECK_FALSE(sim::answer(on(trace, "block"), {}).preemption_left_out);
}

// 2 MB a rank and call take 0.4 ms at 5 GB/s; there are ten calls.
TEST_CASE(
    "recorded computing: combining takes no time where the machine does not say how fast it is",
    "[recorded_computing]") {
  const trace_io::Trace trace = trace_io::assemble(
      "reprise-text 1\nranks 16\nthread 0 {\nloop 10 {\nMPI_Allreduce send_bytes=2000000\n}\n}\n",
      "test");
  const auto told = [&](const std::string& set) {
    auto experiment = on(trace, "cyclic");
    if (!set.empty()) experiment.set.push_back(set);
    for (const auto& remark : sim::answer(experiment, {}).remarks)
      if (remark.starts_with("combining the operands of reductions takes no time, because "
                             "ethernet-10g has no reduction_bandwidth: combining each call's data "
                             "once would take 4 ms a rank at 5 GB/s, "))
        return true;
    return false;
  };
  CHECK(told(""));
  CHECK_FALSE(told("/mpi/reduction_bandwidth=5 GB/s"));
}

TEST_CASE("recorded computing: --latency beside larger overheads", "[recorded_computing]") {
  const trace_io::Trace trace = trace_io::assemble(
      "reprise-text 1\nranks 2\nthread 0 {\nranks 0: MPI_Send peer=1 tag=7 bytes=8\n"
      "ranks 1: MPI_Recv peer=0 tag=7 bytes=8\n}\n",
      "test");
  const auto told = [&](const char* machine) {
    auto experiment = on(trace, "cyclic");
    sim::set_machine(experiment, machine);
    experiment.latency = 10;
    for (const auto& remark : sim::answer(experiment, {}).remarks)
      if (remark.starts_with("--latency scales the links' latency alone: of the ")) return remark;
    return std::string();
  };
  CHECK(told("ethernet-10g") ==
        "--latency scales the links' latency alone: of the 7.52 us that a message without data "
        "takes without it, 7 us are overheads of sending and receiving, which --overhead scales");
  // A scenario, or a point of a study, changes the same.
  const auto told_of = [&](const char* changes) {
    auto experiment = on(trace, "cyclic");
    sim::set_machine(experiment, "ethernet-10g");
    experiment.changes =
        sim::parse_changes(nlohmann::json::parse(changes), platforms::JsonPlace{"s.json", ""});
    for (const auto& remark : sim::answer(experiment, {}).remarks)
      if (remark.find(" scales the links' latency alone: of the 7.52 us that a message") !=
          std::string::npos)
        return remark;
    return std::string();
  };
  CHECK(told_of(R"([{"path":"/network/link/latency","multiply_by":10}])")
            .ends_with("7 us are overheads of sending and receiving, which changes of "
                       "/mpi/send_overhead and /mpi/recv_overhead scale"));
  CHECK(told_of(R"([{"link":"node","latency":10}])") != "");
  CHECK(told_of(R"([{"path":"/network/link/latency","multiply_by":1}])") == "");
  CHECK(told_of(R"([{"path":"/network/link/latency","multiply_by":10},
                    {"path":"/mpi/send_overhead","multiply_by":10}])") == "");

  CHECK(told("infiniband-edr").empty());
}

TEST_CASE("recorded computing: what to do about a disturbed recording", "[recorded_computing]") {
  auto trace = recorded_on(16, 16);
  CHECK(remedy_of_disturbance(trace) ==
        "; record again on idle cores, or with --clock cpu, whose compute times other processes do "
        "not prolong");
  trace.header.clock = trace_io::Clock::cpu;
  CHECK(remedy_of_disturbance(trace) ==
        "; --clock cpu left waiting for cores out of compute times, but not what others took of "
        "caches and memory: record again with an idle core for every rank, or record several "
        "times, which shows how much runs differ");
  for (const auto clock : {trace_io::Clock::wall, trace_io::Clock::cpu}) {
    trace.header.clock = clock;
    trace.losses.assign(1, {.name = trace_io::kOtherThreads});
    CHECK(remedy_of_disturbance(trace) == "; record again with an idle core for every thread");
  }
}

}  // namespace reprise::test
