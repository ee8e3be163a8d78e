// SPDX-License-Identifier: MIT
// How sure a difference is said to be, and what is carried over from both sides, by answers made for it.
#include "sim/comparison/how_sure.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/comparison/comparison.hpp"
#include "sim/comparison/recordings.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using Notes = std::vector<std::string>;

ordered_json replay_of(const char* key, double seconds) {
  return {{"trace", "t"}, {"trace_key", key}, {"platform", "p"}, {"predicted_time_s", seconds}};
}

// A path that computes so long, and the rest of the run in a transfer.
ordered_json path_of(const char* key, double seconds, double compute_s) {
  ordered_json answer = replay_of(key, seconds);
  answer["critical_path"]["parts"] = {
      {{"part", "compute"}, {"procedure", "MPI_Send"}, {"seconds", compute_s}},
      {{"part", "transfer"}, {"procedure", "MPI_Send"}, {"seconds", seconds - compute_s}}};
  return answer;
}

ordered_json recorded(const std::vector<const char*>& keys, const std::vector<double>& times) {
  double sum = 0;
  auto rows = ordered_json::array();
  for (const double time : times) {
    sum += time;
    rows.push_back({{"predicted_time_s", time}, {"compute_s", time / 2}});
  }
  ordered_json point = replay_of("", sum / static_cast<double>(times.size()));
  point["trace_keys"] = keys;
  point["compute_s"] = sum / 2 / static_cast<double>(times.size());
  point["by_recording"] = rows;
  return point;
}

constexpr const char* kOneOfEach =
    "unknown: before and after are of different recordings, made separately, and one of each does "
    "not show how runs differ; changes of computing, and of waiting for it, may be no more than "
    "that";
constexpr const char* kRemedy =
    " (several recordings of each tell: a study of two \"applications\", each with its "
    "\"traces\"; compare takes its points)";
constexpr const char* kNoFit = "; no fit error is known on either side";

}  // namespace

TEST_CASE("a difference between two recordings is said to be one, and what of it may be scatter") {
  const auto computing = compare(path_of("a", 1, 0.9), path_of("b", 1.1, 0.98));
  CHECK(computing.how_sure == std::string(kOneOfEach) +
                                  ", the largest change too (compute, +0.080000 s)" + kRemedy +
                                  kNoFit);
  CHECK(computing.recordings == Recordings::different);
  CHECK(to_json(computing)["recordings"] == "different");
  CHECK(to_json(computing)["how_sure"] == computing.how_sure);
  CHECK(text_of(computing).find("\n\nhow sure: " + computing.how_sure + "\n") != std::string::npos);
  // Transfers follow from the messages, not from how long a rank computed.
  CHECK(compare(path_of("a", 1, 0.9), path_of("b", 1.3, 0.95)).how_sure ==
        std::string(kOneOfEach) + kRemedy + kNoFit);
}

TEST_CASE("two replays of one recording do not differ by how runs differ") {
  CHECK(compare(path_of("a", 1, 0.9), path_of("a", 1.1, 0.98)).how_sure ==
        std::string("before and after replay the same recording, and one does not show how runs "
                    "differ") +
            kNoFit);
  ordered_json old = path_of("a", 1, 0.9);
  old.erase("trace_key");
  CHECK(compare(old, path_of("b", 1.1, 0.98)).how_sure ==
        std::string("unknown: the answers do not say which recordings they are of") + kNoFit);
}

TEST_CASE("ranges of both sides are compared") {
  ordered_json a = replay_of("a", 1), b = replay_of("a", 2);
  const std::string same =
      "before and after replay the same recording, and one does not show how runs differ";
  a["calibration"] = {{"uncertainty", 0.1}, {"low_s", 0.9}, {"high_s", 1.2}};
  CHECK(compare(a, b).how_sure == same +
                                      "; the fit error alone gives 0.900000 to 1.200000 s before, "
                                      "and is not known after");
  b["calibration"] = {{"uncertainty", 0.1}, {"low_s", 1.1}, {"high_s", 2.5}};
  CHECK(compare(a, b).how_sure ==
        same +
            "; the fit error alone gives 0.900000 to 1.200000 s before and 1.100000 to 2.500000 "
            "s after, which overlap (of one machine: both are off in the same direction)");
  b["calibration"]["low_s"] = 1.3;
  b["platform"] = "q";
  CHECK(compare(a, b).how_sure ==
        same +
            "; the fit error alone gives 0.900000 to 1.200000 s before and 1.300000 to 2.500000 "
            "s after, which do not overlap");
  a["computes_as_recorded"] = b["computes_as_recorded"] = true;
  CHECK(compare(a, b).how_sure.ends_with(
      "which do not overlap; both machines' processors are taken to be as fast as the "
      "recording's"));
  b["computes_as_recorded"] = false;
  CHECK(compare(a, b).how_sure.ends_with(
      "which do not overlap; the processors of before are taken to be as fast as the "
      "recording's"));
  a["computes_as_recorded"] = false;
  CHECK(compare(a, b).how_sure.ends_with("which do not overlap"));
  b["fast_forward"] = {{"error_bound_s", 0.06}};
  CHECK(compare(a, b).how_sure.ends_with(
      "; fast-forward leaves up to 0.060000 s of the change open (--no-fast-forward)"));
  b["fast_forward"] = {{"error_bound_s", 0.04}};
  CHECK(compare(a, b).how_sure.ends_with("which do not overlap"));
}

// By hand: means 1.1 and 1.4, variances of the means 0.01/3 each, so the error is 0.0816497; t of 4 degrees of freedom is 2.776445 at 97.5 %.
TEST_CASE("several recordings on each side give the change a range") {
  const auto before = recorded({"a", "b", "c"}, {1.0, 1.1, 1.2}),
             after = recorded({"d", "e", "f"}, {1.3, 1.4, 1.5});
  const auto range = range_of_change(before, after, "predicted_time_s");
  REQUIRE(range);
  CHECK(range->low == Approx(0.3 - 2.776445 * 0.0816497).epsilon(1e-5));
  CHECK(range->high == Approx(0.3 + 2.776445 * 0.0816497).epsilon(1e-5));
  const auto comparison = compare(before, after);
  CHECK(comparison.how_sure ==
        std::string("3 recordings before, 3 recordings after: with a probability of 95% the mean "
                    "run time changes by +0.073304 to +0.526696 s") +
            kNoFit);
  REQUIRE(comparison.tables.back().changes.front().range);
  CHECK(text_of(comparison).find("95% of the change s, over recordings\n") != std::string::npos);
  CHECK(to_json(comparison)["ranks"][0]["low_s"].get<double>() == Approx(0.036652).epsilon(1e-4));
  // The same recordings: pairs, of which each changes by 0.3.
  const auto pairs =
      range_of_change(before, recorded({"a", "b", "c"}, {1.3, 1.4, 1.5}), "predicted_time_s");
  REQUIRE(pairs);
  CHECK(pairs->low == Approx(0.3));
  CHECK(pairs->high == Approx(0.3));
  CHECK(compare(before, before).how_sure ==
        std::string("3 recordings, the same on both sides: the run time does not change") + kNoFit);
  CHECK(
      compare(before, recorded({"d", "e"}, {1.0, 1.3})).how_sure.find(", so perhaps not at all") !=
      std::string::npos);
  CHECK_FALSE(range_of_change(before, recorded({"d"}, {1.0}), "predicted_time_s"));
}

TEST_CASE("what either answer says is carried over") {
  ordered_json a = replay_of("a", 1), b = replay_of("b", 2);
  const std::string disturbed = "the recording was disturbed: rank 0 was preempted for 1 s";
  a["remarks"] = {disturbed, "both say this"};
  b["remarks"] = {"both say this"};
  b["no_effect"] = {"latency: nothing crosses a link"};
  b["losses"] = {
      {{"name", "unmodelled MPI_Foo"}, {"count", 2}, {"time_s", 0.5}, {"severity", "partial"}}};
  CHECK(compare(a, b).notes ==
        Notes{"before: " + disturbed, "before and after: both say this",
              "after: no effect: latency: nothing crosses a link",
              "after: not represented: unmodelled MPI_Foo, 2 times, 0.500000 s over all ranks"});
  CHECK(compare(a, b).how_sure.ends_with("; a recording of before was disturbed (see the notes)"));
  CHECK(compare(b, a).how_sure.ends_with("; a recording of after was disturbed (see the notes)"));
  b["remarks"] = {disturbed};
  CHECK(compare(a, b).how_sure.ends_with("; recordings of both were disturbed (see the notes)"));
}

TEST_CASE("functions are compared by what the path computes in them") {
  const auto with = [](ordered_json answer, double flux_s) {
    answer["functions"] = {{"samples", 1000},
                           {"path_computing_s", 0.9},
                           {"functions",
                            {{{"function", "flux"}, {"path_exclusive_s", flux_s}},
                             {{"function", "solve"}, {"path_exclusive_s", (0.9 - flux_s) / 2}},
                             {{"function", "update"}, {"path_exclusive_s", (0.9 - flux_s) / 2}}}}};
    return answer;
  };
  const auto table_of = [](const Comparison& comparison) {
    for (const ChangeTable& table : comparison.tables)
      if (table.key == "functions") return table;
    return ChangeTable{};
  };
  const auto between =
      table_of(compare(with(path_of("a", 1, 0.9), 0.45), with(path_of("b", 1, 0.9), 0.3)));
  REQUIRE(between.changes.size() == 3);
  CHECK(between.changes[0].what == "flux");
  CHECK(between.changes[0].change() == Approx(-0.15));
  // Of 1000 samples, a half and a third: 0.9 · √(0.25/1000 + 0.2222/1000) · 1.96.
  REQUIRE(between.changes[0].range);
  CHECK(between.changes[0].range->high == Approx(-0.15 + 1.96 * 0.9 * 0.0217307).epsilon(1e-4));
  CHECK(between.range_from == "by sampling");
  // A what-if has the same samples on both sides.
  const auto what_if =
      table_of(compare(with(path_of("a", 1, 0.9), 0.45), with(path_of("a", 1, 0.9), 0.3)));
  REQUIRE(what_if.changes.size() == 3);
  CHECK_FALSE(what_if.changes[0].range);
  CHECK(table_of(compare(with(path_of("a", 1, 0.9), 0.45), path_of("b", 1, 0.9))).changes.empty());
}

TEST_CASE("a comparison of points has one note on all disturbed recordings") {
  ordered_json a = recorded({"a", "b"}, {1, 1.1}), b = recorded({"a", "b"}, {0.9, 1});
  const std::string rest = "; the prediction leaves this out";
  const auto remark = [&](const std::string& name, int rank) {
    return "the recording " + name + " was disturbed: rank " + std::to_string(rank) +
           " was preempted for 1 s (2 times its computing time)" + rest;
  };
  for (auto* side : {&a, &b}) (*side)["remarks"] = {remark("a", 1), "other", remark("b", 2)};
  CHECK(compare(a, b).notes ==
        Notes{"before and after: 2 recordings were disturbed: of a rank 1 was preempted for 1 s (2 "
              "times its computing time), of b rank 2 was preempted for 1 s (2 times its computing "
              "time)" +
                  rest,
              "before and after: other"});
  b["remarks"] = {remark("a", 1), remark("b", 2), remark("c", 3), remark("d", 4)};
  CHECK(compare(a, b).notes.back() ==
        "after: 4 recordings were disturbed: of a rank 1 was preempted for 1 s (2 times its "
        "computing time), and likewise b, c and d" +
            rest);
}

}  // namespace reprise::sim
