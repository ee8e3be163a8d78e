// SPDX-License-Identifier: MIT
// Iterations in merged traces, in files and in the text form: they come back, and what cannot be is refused with its place.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

// A loop of barriers, now and then with one more.
Trace part_of(int rank, int ranks, std::uint32_t limit, bool with_marks) {
  ThreadCompressor::Settings settings;
  settings.rank = Rank{rank};
  settings.iterations.emplace().limit = limit;
  ThreadCompressor compressor(settings);
  std::mt19937_64 random(static_cast<std::uint64_t>(rank));
  const auto call = [&](SiteId site) {
    append(compressor, event_at(site), Nanoseconds{static_cast<std::int64_t>(random() % 100'000)},
           Nanoseconds{static_cast<std::int64_t>(random() % 20'000)});
  };
  call(3);
  for (int step = 0; step < 300; ++step) {
    if (with_marks) compressor.mark(ThreadCompressor::Mark::begin);
    call(0);
    call(4);
    if (step % 3 == 0 || step % 7 == 2) call(8);
    if (with_marks) compressor.mark(ThreadCompressor::Mark::end);
  }
  Trace trace = trace_with_sites(9, Rank{rank}, ranks);
  trace.modules = {{"solve", ""}};
  for (std::size_t path = 0; path < trace.call_paths.size(); ++path)
    trace.call_paths[path].frames = {{0, path}};
  trace.header.timing = Timing::path;
  trace.header.bins = 5;
  trace.threads = {compressor.program()};
  if (auto marked = compressor.marked_iterations()) trace.marked_iterations = {*marked};
  return trace;
}

// `order`: in which the parts are taken.
Trace merged(std::vector<int> order, std::uint32_t limit = 16, bool with_marks = false) {
  const int ranks = static_cast<int>(order.size());
  Trace all = part_of(order[0], ranks, limit, with_marks);
  for (std::size_t i = 1; i < order.size(); ++i)
    all = merge(std::move(all), part_of(order[i], ranks, limit, with_marks));
  return all;
}

std::vector<RankIterations> iterations_of(const Trace& trace) {
  std::vector<RankIterations> all = trace.marked_iterations;
  for (const auto& program : trace.threads)
    for_each_clustered_loop(program, [&](const Loop& loop) {
      all.insert(all.end(), loop.clusters.begin(), loop.clusters.end());
    });
  return all;
}

std::vector<IterationProfile> totals(const Trace& trace) {
  std::vector<IterationProfile> totals;
  for (const RankIterations& rank : iterations_of(trace)) {
    IterationProfile& sum = totals.emplace_back();
    for (const auto& cluster : rank.clusters) add_profile(sum, cluster.sums);
  }
  return totals;
}

template <class Change>
std::string refusal(const Trace& trace, const Change& change) {
  Trace changed = trace;
  for (auto& program : changed.threads)
    for_each_clustered_loop(program, [&](Loop& loop) { change(loop.clusters); });
  const auto findings = check_structure(changed);
  if (findings.empty()) return "";
  CHECK(findings[0].where == "ranks 0-3, the loop of MPI_Barrier at solve+0x0");
  return findings[0].problem;
}

constexpr const char* kText = R"(reprise-text 1
ranks 2
procedure 0 "MPI_Barrier"
path 0
site 0 procedure 0 path 0
iterations rank 1 limit 8 same sites sequence [0*3] clusters [3: @0 3/0/30/60]
thread 0 {
  loop 4 {
    iterations rank 0 limit 2 same counts sequence [0, 1*2, 0] clusters [2: @0 2/0/10/20; 2: @0 2/0/100/200]
    @0 MPI_Barrier
  }
}
)";

std::string refused_text(const std::string& from, const std::string& to) {
  std::string text = kText;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  try {
    assemble(text, "t");
  } catch (const InputError& error) {
    return error.where() + ": " + error.problem();
  }
  return "";
}

}  // namespace

TEST_CASE("iterations_file: ranks' iterations stay with their loop, in any order of merging",
          "[trace-io]") {
  const auto with_marks = GENERATE(false, true);
  const Trace trace = merged({0, 1, 2, 3}, 16, with_marks);
  const auto ranks = iterations_of(trace);
  REQUIRE(ranks.size() == 4);
  for (int r = 0; r < 4; ++r) {
    const auto part = iterations_of(part_of(r, 4, 16, with_marks));
    CHECK(ranks[static_cast<std::size_t>(r)] == part[0]);
  }
  for (const auto& order : {std::vector{3, 1, 0, 2}, {2, 3, 1, 0}})
    CHECK(iterations_of(merged(order, 16, with_marks)) == ranks);
  CHECK(check_structure(trace).empty());
}

TEST_CASE("iterations_file: iterations come back from files and texts", "[trace-io]") {
  for (const std::uint32_t limit : {1U, 3U, 64U})
    for (const bool with_marks : {false, true})
      for (const bool is_rounded : {false, true}) {
        Trace trace = merged({0, 1, 2, 3}, limit, with_marks);
        if (is_rounded) round_durations(trace);
        const Trace read = deserialise(serialise(trace), "t");
        CHECK(iterations_of(read) == iterations_of(trace));
        CHECK(dump(read) == dump(trace));
        const Trace assembled = assemble(dump(trace), "t");
        CHECK(dump(assembled) == dump(trace));
        CHECK(serialise(assembled) == serialise(trace));
      }
  const Trace text = assemble(kText, "t");
  CHECK(iterations_of(deserialise(serialise(text), "t")) == iterations_of(text));
}

TEST_CASE(
    "iterations_file: rounding keeps all sums, moves means by less than half a percent, and saves "
    "bytes",
    "[trace-io]") {
  const Trace exact = merged({0, 1, 2, 3}, 32);
  Trace trace = exact;
  round_iterations(trace);
  CHECK(totals(trace) == totals(exact));
  const auto before = iterations_of(exact), after = iterations_of(trace);
  for (std::size_t r = 0; r < before.size(); ++r)
    for (std::size_t c = 0; c < before[r].clusters.size(); ++c)
      for (std::size_t i = 0; i < before[r].clusters[c].sums.size(); ++i)
        for (const auto metric : {IterationMetric::compute, IterationMetric::communicate}) {
          const auto of = [&](const auto& ranks) {
            return static_cast<double>(ranks[r].clusters[c].sums[i].metrics[metric]);
          };
          CHECK(of(after) == Approx(of(before)).epsilon(0.07).margin(64));
        }
  CHECK(serialise(trace).size() * 4 < serialise(exact).size() * 3);
  Trace again = trace;
  round_iterations(again);
  CHECK(iterations_of(again) == after);
}

TEST_CASE("iterations_file: iterations that do not fit their loop are refused with the place",
          "[trace-io]") {
  using Ranks = std::vector<RankIterations>;
  const Trace trace = merged({0, 1, 2, 3}, 1);  // two call trees: two clusters
  const auto iterations = iterations_of(trace)[0].sequence.size();
  CHECK(refusal(trace, [](Ranks& r) { r[1].sequence.append(0); }) ==
        "iterations of rank 1: cluster 0 has " +
            std::to_string(iterations_of(trace)[1].clusters[0].size) +
            " iterations, the sequence gives it " +
            std::to_string(iterations_of(trace)[1].clusters[0].size + 1));
  CHECK(refusal(trace,
                [](Ranks& r) {
                  r[0].sequence.append(0);
                  ++r[0].clusters[0].size;
                  for (auto& one : r[0].clusters[0].sums) ++one.metrics[IterationMetric::calls];
                }) == "iterations of rank 0: a sequence of " + std::to_string(iterations + 1) +
                          ", but the loop has " + std::to_string(iterations));
  CHECK(refusal(trace, [](Ranks& r) { r[2].sequence.append(7); }) ==
        "iterations of rank 2: an iteration of cluster 7, there are 2");
  CHECK(refusal(trace, [](Ranks& r) { r[2].clusters[1].sums.clear(); }) ==
        "iterations of rank 2: cluster 1 has no profile");
  CHECK(refusal(trace, [](Ranks& r) {
          r[0].clusters.push_back({1, r[0].clusters[0].sums});
        }) == "iterations of rank 0: cluster 2 has 1 iterations, the sequence gives it 0");
  CHECK(refusal(trace, [](Ranks& r) {
          ++r[0].clusters[0].sums[0].metrics[IterationMetric::calls];
        }) == "iterations of rank 0: 301 calls of MPI_Barrier at solve+0x0, the loop has 300");
  CHECK(refusal(trace, [](Ranks& r) {
          r[0].clusters[0].sums[0].metrics[IterationMetric::calls] = 0;
        }) == "iterations of rank 0: cluster 0: 0 calls of a site that it visits");
  CHECK(refusal(trace, [](Ranks& r) {
          std::swap(r[0].clusters[0].sums[0], r[0].clusters[0].sums[1]);
        }) == "iterations of rank 0: cluster 0: sites not in their order");
  CHECK(refusal(trace, [](Ranks& r) { r[0].limit = 0; }) ==
        "iterations of rank 0: a limit of 0 clusters");
  CHECK(refusal(trace, [](Ranks& r) { std::swap(r[0], r[1]); }) ==
        "iterations of rank 0: not in the ranks' order");
  CHECK(refusal(trace, [](Ranks& r) { r[3].rank = Rank{9}; }) ==
        "iterations of rank 9: it does not execute the loop");
  CHECK(refusal(trace, [](Ranks& r) { r[0].sequence = {}; }) ==
        "iterations of rank 0: no iterations");
}

TEST_CASE("iterations_file: texts that say what cannot be are refused with the place",
          "[trace-io]") {
  CHECK(refused_text("rank 0 limit", "rank 2 limit") == "t:9:21: there is no rank 2");
  CHECK(refused_text("same counts", "same names") ==
        "t:9:36: expected \"counts\", \"sites\" or \"any\"");
  CHECK(refused_text("[2: @0 2/", "[2: @1 2/") == "t:9:78: there is no site 1, 1 are declared");
  CHECK(refused_text("[0, 1*2, 0]", "[0, 1*2]") ==
        "t: ranks 0-1, the loop of MPI_Barrier: iterations of rank 0: cluster 0 has 2 iterations, "
        "the "
        "sequence gives it 1");
  CHECK(refused_text("3/0/30/60", "9/0/30/60") ==
        "t: marks: iterations of rank 1: 9 calls of MPI_Barrier, it made 4");
  CHECK(refused_text("@0 3/0/30/60", "") ==
        "t: marks: iterations of rank 1: cluster 0 has no profile");
}

TEST_CASE("iterations_file: a trace without iterations has no byte more", "[trace-io]") {
  Trace trace = merged({0, 1, 2, 3});
  const auto with = encode_payload(trace).size();
  for (auto& program : trace.threads)
    for_each_clustered_loop(program, [](Loop& loop) { loop.clusters.clear(); });
  const auto payload = encode_payload(trace);
  CHECK(payload.size() < with);
  CHECK_FALSE(has_iterations(decode_payload(payload, 3, "t")));
}
