// SPDX-License-Identifier: MIT
// Counts of events: as text, as a file, added up by the merge, and refused where they cannot be.
#include "trace-io/model/compute_counters.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <random>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::string text(const std::string& ranks, const std::string& statements) {
  return "reprise-text 1\nranks 4\n" + (ranks.empty() ? "" : "recorded " + ranks + "\n") +
         "procedure 0 \"MPI_Barrier\"\nprocedure 1 \"MPI_Finalize\"\npath 0\n"
         "site 0 procedure 0 path 0\nsite 1 procedure 1 path 0\n" +
         statements + "thread 0 {\n  loop 5 {\n    @0 MPI_Barrier\n  }\n  @1 MPI_Finalize\n}\n";
}

const std::string kHead =
    "counters [instructions threads 1 absent 0 scaled 0, cycles threads 1 absent 0 scaled 1]\n";

std::string refusal(const std::string& statements) {
  try {
    assemble(text("", statements), "t.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string problem(const std::string& counted) {
  const std::string all = refusal(kHead + counted);
  const std::string place = "t.txt: counts of events: ";
  return all.starts_with(place) ? all.substr(place.size()) : "elsewhere: " + all;
}

}  // namespace

TEST_CASE("counters: text and file give them back", "[trace-io]") {
  // "none before" is the largest number of a site: it comes last.
  const std::string counted = kHead +
                              "counted @0 after @0: 1200/300ns, 900/300ns\n"
                              "counted @0: 7/20ns, 0/0ns\n"
                              "counted @1 after @0: 4611686018427387904/1ns, 5/4000000ns\n";
  const Trace trace = assemble(text("", counted), "t.txt");
  REQUIRE(trace.counters != nullptr);
  CHECK(trace.counters->events == std::vector<CountedEvent>{{CounterEvent::instructions, 1, 0, 0},
                                                            {CounterEvent::cycles, 1, 0, 1}});
  REQUIRE(trace.counters->ways.size() == 3);
  CHECK(trace.counters->ways[1] == WayCounts{kNoSite, 0, {{7, Nanoseconds{20}}, {}}});
  const std::string dumped = dump(trace);
  CHECK(dumped.find(counted) != std::string::npos);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  CHECK(dump(deserialise(serialise(trace), "t.reprise")) == dumped);
  CHECK(check(trace).empty());
}

TEST_CASE("counters: whatever the counts are, text and file give them back", "[trace-io]") {
  std::mt19937_64 random(19);
  const Trace tables = assemble(text("", ""), "t.txt");
  for (int round = 0; round < 200; ++round) {
    INFO("round " << round);
    ComputeCounters counters;
    for (std::size_t event = 0; event < kCounterEvents.size(); ++event)
      if (random() % 2 == 0) {
        const std::uint64_t threads = 1 + random() % 1000;
        counters.events.push_back(
            {static_cast<CounterEvent>(event), threads, random() % 5, random() % (threads + 1)});
      }
    for (const SiteId site : {SiteId{0}, SiteId{1}})
      for (const SiteId before : {SiteId{0}, SiteId{1}, kNoSite}) {
        if (random() % 3 == 0) continue;
        WayCounts way{before, site, {}};
        for (std::size_t i = 0; i < counters.events.size(); ++i)
          way.counts.push_back(
              {(random() >> 2U) >> random() % 62,
               Nanoseconds{static_cast<std::int64_t>((random() >> 2U) >> random() % 62)}});
        counters.ways.push_back(std::move(way));
      }
    Trace trace = tables;
    trace.counters = std::make_shared<const ComputeCounters>(counters);
    REQUIRE(check_structure(trace).empty());
    for (const Trace& again :
         {deserialise(serialise(trace), "t.reprise"), assemble(dump(trace), "t.txt")}) {
      CHECK(again.counters->events == counters.events);
      CHECK(again.counters->ways == counters.ways);
    }
  }
}

TEST_CASE("counters: a trace without them has no byte for them", "[trace-io]") {
  const Trace without = assemble(text("", ""), "t.txt");
  CHECK(without.counters == nullptr);
  CHECK(deserialise(serialise(without), "t.reprise").counters == nullptr);
  CHECK(serialise(without).size() < serialise(assemble(text("", kHead), "t.txt")).size());
}

TEST_CASE("counters: ranks' counts are added up, each with its time", "[merge]") {
  const auto part = [](int rank, const std::string& statements) {
    return assemble(text(std::to_string(rank), statements), "t.txt");
  };
  const Trace all =
      merge(merge(part(0, kHead + "counted @0 after @0: 100/10ns, 50/10ns\n"),
                  part(1,
                       "counters [cycles threads 1 absent 0 scaled 0]\n"
                       "counted @0 after @0: 70/20ns\ncounted @1 after @0: 3/1ns\n")),
            merge(part(2,
                       "counters [instructions threads 0 absent 1 scaled 0, task-clock threads 1 "
                       "absent 0 scaled 0]\ncounted @0 after @0: 0/0ns, 5/30ns\n"),
                  part(3, "")));
  REQUIRE(all.counters != nullptr);
  CHECK(all.counters->events == std::vector<CountedEvent>{{CounterEvent::instructions, 1, 1, 0},
                                                          {CounterEvent::cycles, 2, 0, 1},
                                                          {CounterEvent::task_clock, 1, 0, 0}});
  CHECK(all.counters->ways ==
        std::vector<WayCounts>{
            {0, 0, {{100, Nanoseconds{10}}, {120, Nanoseconds{30}}, {5, Nanoseconds{30}}}},
            {0, 1, {{}, {3, Nanoseconds{1}}, {}}}});
  CHECK(check_structure(all).empty());
}

TEST_CASE("counters: sums stay where numbers end", "[merge]") {
  const auto part = [](int rank) {
    return assemble(text(std::to_string(rank),
                         "counters [cycles threads 1 absent 0 scaled 0]\n"
                         "counted @0 after @0: 4611686018427387904/4611686018427387903ns\n"),
                    "t.txt");
  };
  const Trace all = merge(part(0), part(1));
  CHECK(all.counters->ways.front().counts.front() ==
        Count{kMostCounted, Nanoseconds{static_cast<std::int64_t>(kMostCounted) - 1}});
  CHECK(check_structure(all).empty());
}

TEST_CASE("counters: what cannot be is refused", "[trace-io]") {
  CHECK(problem("counted @0: 1/1ns, 1/1ns\ncounted @0 after @0: 1/1ns, 1/1ns\n") ==
        "paths that are not in ascending order");
  CHECK(problem("counted @0: 1/1ns, 1/1ns\ncounted @0: 1/1ns, 1/1ns\n") ==
        "paths that are not in ascending order");
  CHECK(problem("counted @0: 4611686018427387905/1ns, 1/1ns\n") ==
        "instructions: 4611686018427387905 counted");
  CHECK(problem("counted @0: 1/4611686018427387904ns, 1/1ns\n") ==
        "instructions: counted in 4611686018427387904 ns");
  const std::string place = "t.txt: counts of events: ";
  CHECK(refusal("counters [cycles threads 1 absent 0 scaled 0, instructions threads 1 absent 0 "
                "scaled 0]\n") == place + "events that are not in ascending order");
  CHECK(refusal("counters [cycles threads 1 absent 0 scaled 2]\n") ==
        place + "cycles: impossible numbers of threads");
  CHECK(refusal("counters [cycles threads 0 absent 1 scaled 0]\ncounted @0: 1/1ns\n") ==
        place + "cycles: counted by no thread");
  CHECK(refusal("counted @0: 1/1ns\n").find("counts, but no statement \"counters\" before them") !=
        std::string::npos);
  CHECK(refusal(kHead + kHead).find("\"counters\" is given twice") != std::string::npos);
  CHECK(
      refusal("counters [branches threads 1 absent 0 scaled 0]\n").find("no event \"branches\"") !=
      std::string::npos);
  CHECK(refusal(kHead + "counted @2: 1/1ns, 1/1ns\n").find("there is no site 2, 2 are declared") !=
        std::string::npos);
  CHECK(refusal(kHead + "counted @0: -1/1ns, 1/1ns\n").find("expected a count") !=
        std::string::npos);
  CHECK(refusal(kHead + "counted @0: 1/1ns\n").find("between the counts of two events") !=
        std::string::npos);
}

TEST_CASE("counters: what no text can say is found as well", "[trace-io]") {
  const Trace trace =
      assemble(text("", kHead + "counted @0 after @0: 1200/300ns, 900/300ns\n"), "t.txt");
  ComputeCounters bad = *trace.counters;
  bad.ways.front().counts.pop_back();
  Trace changed = trace;
  changed.counters = std::make_shared<const ComputeCounters>(bad);
  REQUIRE(check_structure(changed).size() == 1);
  CHECK(check_structure(changed).front().problem == "1 counts of a path, of 2 events");
  bad = *trace.counters;
  bad.ways.front().counts.front().time = Nanoseconds{-5};
  changed.counters = std::make_shared<const ComputeCounters>(bad);
  REQUIRE(check_structure(changed).size() == 1);
  CHECK(check_structure(changed).front().problem == "instructions: counted in -5 ns");
  bad = *trace.counters;
  bad.ways.front().site = 9;
  changed.counters = std::make_shared<const ComputeCounters>(bad);
  REQUIRE(check_structure(changed).size() == 1);
  CHECK(check_structure(changed).front().problem == "a site that does not exist");
}

TEST_CASE("golden: counts of events read as they did when they were written", "[trace-io]") {
  const std::string stem = std::string(REPRISE_GOLDEN_DIRECTORY) + "/v3/counters";
  std::ifstream file(stem + ".txt", std::ios::binary);
  const std::string golden_text{std::istreambuf_iterator<char>(file), {}};
  const Trace golden = load(stem + ".reprise");
  REQUIRE(dump(golden) == golden_text);
  REQUIRE(serialise(assemble(golden_text, "counters")) == serialise(golden));
}
