// SPDX-License-Identifier: MIT
#include "sim/study/merge.hpp"

#include <catch2/catch.hpp>

#include "sim/study/point_answer.hpp"
#include "sim/study/remarks.hpp"
#include "sim/study/result_files.hpp"
#include "tests/unit/study/example_study.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::sim;
using nlohmann::ordered_json;

namespace {

ordered_json simulated_row(double time, double wait = 0) {
  return {{"key", "k"},
          {"status", "done"},
          {"reason", ""},
          {"answer",
           {{"predicted_time_s", time},
            {"compute_s", 1.0},
            {"communication_s", 0.5},
            {"wait_s", wait},
            {"efficiencies", {{"parallel", time / 10}}},
            {"link_classes", {{{"name", "up"}, {"busy_share", time / 10}, {"bytes", 7}}}},
            {"losses", ordered_json::array()}}}};
}

StoredRow stored(const std::string& key, const std::string& status, const std::string& more = "") {
  return {
      {{"key", key}, {"point", {{"a", "label of " + more}}}, {"status", status}, {"reason", more}},
      "shard-1-of-1.jsonl"};
}

Plan plan_of_two() {
  Plan plan;
  plan.runs = {{0, 1, {}, "a", nullptr, {}}, {0, 2, {}, "b", nullptr, {}}};
  plan.distinct = {0, 1};
  return plan;
}

}  // namespace

TEST_CASE("merge: seeds make a band, and means", "[study]") {
  const ordered_json rows[] = {simulated_row(3, 1), simulated_row(1, 2), simulated_row(2, 6)};
  const auto point = point_answer({&rows[0], &rows[1], &rows[2]});
  CHECK(point["status"] == "done");
  CHECK(point["predicted_time_s"] ==
        ordered_json{{"median", 2.0}, {"low", 1.0}, {"high", 3.0}, {"seeds", 3}});
  CHECK(point["wait_s"] == 3.0);
  CHECK(point["efficiencies"]["parallel"].get<double>() == Approx(0.2));
  CHECK(point["link_classes"][0]["name"] == "up");
  CHECK(point["link_classes"][0]["bytes"] == 7);
  CHECK(point["link_classes"][0]["busy_share"].get<double>() == Approx(0.2));
  const auto even = point_answer({&rows[0], &rows[1]});
  CHECK(even["predicted_time_s"]["median"] == 2.0);
}

TEST_CASE("merge: means of equal numbers are those numbers to the last bit", "[study]") {
  const ordered_json rows[] = {simulated_row(0.1, 0.1), simulated_row(0.1, 0.1),
                               simulated_row(0.1, 0.1)};
  CHECK(point_answer({&rows[0], &rows[1], &rows[2]})["wait_s"] == 0.1);
}

TEST_CASE("merge: a point says what became of it where a seed has no time", "[study]") {
  const ordered_json done = simulated_row(2),
                     deadlocked = {
                         {"key", "k"}, {"status", "deadlocked"}, {"reason", "rank 0 waits"}};
  const auto part = point_answer({&done, &deadlocked, nullptr});
  CHECK(part["status"] == "deadlocked");
  CHECK(part["reason"] == "rank 0 waits");
  CHECK(part["predicted_time_s"]["seeds"] == 1);
  const auto none = point_answer({nullptr});
  CHECK(none["status"] == "missing");
  CHECK_FALSE(none.contains("predicted_time_s"));
}

// The second recording takes half as long again on both; of medians of what each has, the point would seem slower than the baseline.
TEST_CASE("merge: speed-ups are of the recordings that both have", "[study]") {
  const ordered_json before[] = {simulated_row(1), simulated_row(1.1)},
                     after[] = {simulated_row(0.9), simulated_row(0.99), simulated_row(1.5)};
  ordered_json point = point_answer({&after[0], &after[1], &after[2]});
  set_speedup(point, {&after[0], &after[1], &after[2]}, {&before[0], &before[1], nullptr});
  CHECK(point["speedup"].get<double>() == Approx(1.05 / 0.945));
  set_speedup(point, {&after[0], nullptr, nullptr}, {nullptr, &before[1], nullptr});
  CHECK(point["speedup"].is_null());
}

TEST_CASE("merge: a point says how many of its simulations are missing", "[study]") {
  const ordered_json done = simulated_row(2);
  const auto part = point_answer({&done, nullptr, nullptr});
  CHECK(part["status"] == "missing");
  CHECK(part["reason"] == "2 of 3 simulations");
  CHECK(point_answer({nullptr})["reason"] == "");
}

TEST_CASE("merge: rows are counted, and the one that got furthest taken", "[study]") {
  StoredRows rows;
  rows.rows = {stored("a", "crashed", "killed"), stored("c", "done"), stored("a", "done"),
               stored("a", "crashed", "again")};
  const auto collected = collect_rows(plan_of_two(), rows);
  CHECK(collected.missing == 1);
  CHECK(collected.duplicates == 2);
  CHECK(collected.others == 1);
  CHECK(collected.done == 1);
  CHECK(collected.by_key.at("a")["status"] == "done");
}

TEST_CASE("merge: which of two crashes is told does not depend on the order of files", "[study]") {
  StoredRows rows, reversed;
  rows.rows = {stored("a", "crashed", "x"), stored("a", "crashed", "y")};
  reversed.rows = {rows.rows[1], rows.rows[0]};
  CHECK(collect_rows(plan_of_two(), rows).by_key == collect_rows(plan_of_two(), reversed).by_key);
}

TEST_CASE("merge: two answers of one simulation that differ are an error", "[study]") {
  StoredRows rows;
  rows.rows = {stored("a", "failed", "x"), stored("a", "failed", "y")};
  CHECK_THROWS_WITH(collect_rows(plan_of_two(), rows),
                    "shard-1-of-1.jsonl: the simulation a has two rows that differ\n  simulations "
                    "are deterministic: has one of the files been edited?");
}

TEST_CASE("merge: a renamed label does not make another row", "[study]") {
  StoredRows rows;
  rows.rows = {stored("a", "done"), stored("a", "done")};
  rows.rows[1].row["point"] = {{"a", "renamed"}};
  CHECK(collect_rows(plan_of_two(), rows).duplicates == 1);
}

TEST_CASE("merge: the table has a line for each point, quoted where needed", "[study]") {
  ordered_json results = {
      {"study", {{"axes", {{{"name", "machine, placed"}}}}}},
      {"points",
       {{{"labels", {{"machine, placed", "the \"big\" one"}}},
         {"status", "done"},
         {"reason", ""},
         {"predicted_time_s", {{"median", 0.1}, {"low", 0.1}, {"high", 0.25}, {"seeds", 3}}},
         {"speedup", nullptr},
         {"compute_s", 1e-9},
         {"efficiencies", {{"parallel", 0.5}, {"load_balance", 1.0}}}}}}};
  CHECK(results_csv(results) ==
        "\"machine, "
        "placed\",status,reason,predicted_time_s,low_s,high_s,seeds,speedup,compute_s,"
        "communication_s,wait_s,parallel_efficiency,"
        "load_balance,communication_efficiency,serialisation,transfer,band_low_s,band_high_s,"
        "fastest,probability_fastest\n"
        "\"the \"\"big\"\" one\",done,,0.1,0.1,0.25,3,,1e-09,,,0.5,1.0,,,,,,,\n");
}

TEST_CASE("remarks: an axis along which no time changes is named, everywhere or where", "[study]") {
  const auto results = [](std::initializer_list<double> times) {
    ordered_json points = ordered_json::array();
    auto time = times.begin();
    for (const char* placement : {"block", "cyclic"})
      for (const char* bandwidth : {"1x", "2x"})
        points.push_back({{"labels", {{"placement", placement}, {"bandwidth", bandwidth}}},
                          {"predicted_time_s", {{"median", *time++}}}});
    return ordered_json{{"study",
                         {{"axes",
                           {{{"name", "placement"}, {"labels", {"block", "cyclic"}}},
                            {{"name", "bandwidth"}, {"labels", {"1x", "2x"}}}}}}},
                        {"points", points}};
  };
  CHECK(remarks_on(results({1, 2, 3, 4})).empty());
  CHECK(remarks_on(results({1, 1, 3, 3})) ==
        ordered_json{"no time changes along the axis \"bandwidth\""});
  CHECK(remarks_on(results({1, 1, 3, 4})) ==
        ordered_json{"no time changes along the axis \"bandwidth\" where placement is block"});
  CHECK(remarks_on(results({1, 1, 1, 1})).size() == 2);
}

TEST_CASE("remarks: a change without effect is told once where it has none at all", "[study]") {
  ordered_json results = {{"study", {{"axes", ordered_json::array()}}},
                          {"points",
                           {{{"labels", ordered_json::object()},
                             {"predicted_time_s", {{"median", 1}}},
                             {"no_effect", {"a: x", "b: y"}}},
                            {{"labels", ordered_json::object()},
                             {"predicted_time_s", {{"median", 2}}},
                             {"no_effect", ordered_json::array({"b: y"})}},
                            {{"labels", ordered_json::object()}, {"status", "failed"}}}}};
  CHECK(remarks_on(results) == ordered_json::array({"no effect: b: y"}));
}
