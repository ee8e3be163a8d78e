// SPDX-License-Identifier: MIT
// How sure results are: what stands in results.json.
#include "sim/study/certainty.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/study/merge.hpp"
#include "sim/study/simulate.hpp"
#include "tests/unit/study/example_study.hpp"

using namespace reprise::sim;
using nlohmann::ordered_json;

namespace {

ordered_json row(double time) {
  return {{"status", "done"}, {"answer", {{"predicted_time_s", time}}}};
}

ordered_json results_of(const ExampleStudy& example) {
  CollectedRows rows;
  for (const auto& run : example.plan.runs)
    rows.by_key[run.key] = simulate(example.study, example.inputs, example.plan, run).row;
  return results_of(example.study, example.inputs, example.plan, rows);
}

const char* const kTwoLatencies =
    R"("axes":[{"name":"latency","path":"/network/link/latency","multiply_by":[1,2]}])";

}  // namespace

TEST_CASE("certainty: a point's band, effects and chance are those of its seeds", "[study]") {
  const ExampleStudy example(std::string(R"("seeds":2,)") + kTwoLatencies);
  const std::vector<ordered_json> kept = {row(1), row(1.1), row(2), row(2.3)};
  const std::vector<SeedRows> rows = {{&kept[0], &kept[1]}, {&kept[2], &kept[3]}};
  ordered_json results = {
      {"points",
       {{{"predicted_time_s", {{"median", 1.05}}}}, {{"predicted_time_s", {{"median", 2.15}}}}}}};
  add_certainty(example.study, example.plan.points, rows, false, results);
  const double mean = (std::log(2.0) + std::log(2.3 / 1.1)) / 2,
               error = std::abs(std::log(2.3 / 1.1) - std::log(2.0)) / 2;
  const auto& slow = results["points"][1];
  for (const char* key : {"effects", "against_fastest"}) {
    const auto& found = key == std::string("effects") ? slow[key]["latency"] : slow[key];
    CHECK(found["ratio"].get<double>() == Approx(std::exp(mean)));
    CHECK(found["high"].get<double>() == Approx(std::exp(mean + 12.706204736174694 * error)));
    CHECK(found["probability"].get<double>() ==
          Approx(0.5 + std::atan(-mean / error) / std::numbers::pi));
  }
  CHECK(slow["speedup_band"]["high"].get<double>() ==
        Approx(std::exp(-mean + 12.706204736174694 * error)));
  const double scatter = std::log(1.1) / std::numbers::sqrt2;
  CHECK(results["points"][0]["band"]["high_s"].get<double>() ==
        Approx(std::sqrt(1.1) * std::exp(12.706204736174694 * scatter * std::sqrt(1.5))));
  CHECK(results["points"][0]["band"]["shares"]["compute_times"] == 1.0);
  CHECK_FALSE(results["points"][0].contains("effects"));
  CHECK(results["points"][0]["probability_fastest"].get<double>() +
            results["points"][1]["probability_fastest"].get<double>() ==
        Approx(1));
  CHECK(results["certainty"]["level"] == 0.95);
  CHECK(results["certainty"]["more_seeds_narrow"] == true);
  CHECK(results["certainty"]["lacks"][0] ==
        "how much runs differ (one recording, and seeds keep the sums of its compute times: record "
        "several runs and list them in \"traces\")");
  CHECK(results["certainty"]["lacks"][2] ==
        "what other network models say, which may change differences and order (\"models\" was not "
        "asked for)");
}

// The first point lacks the recording in which all are slow.
TEST_CASE("certainty: who lacks recordings is not ranked, and nobody is the fastest then",
          "[study]") {
  const ExampleStudy example(
      R"("seeds":2,"axes":[{"name":"latency","path":"/network/link/latency","multiply_by":[1,2,4]}])");
  const std::vector<ordered_json> kept = {row(1.1), row(1), row(2), row(1.2), row(2.4)};
  const std::vector<SeedRows> rows = {
      {&kept[0], nullptr}, {&kept[1], &kept[2]}, {&kept[3], &kept[4]}};
  ordered_json results = {{"points",
                           {{{"status", "missing"}, {"predicted_time_s", {{"median", 1.1}}}},
                            {{"status", "done"}, {"predicted_time_s", {{"median", 1.5}}}},
                            {{"status", "done"}, {"predicted_time_s", {{"median", 1.8}}}}}}};
  add_certainty(example.study, example.plan.points, rows, false, results);
  CHECK_FALSE(results["points"][0].contains("against_fastest"));
  CHECK_FALSE(results["points"][1].contains("against_fastest"));
  CHECK(results["points"][2]["against_fastest"]["ratio"].get<double>() == Approx(1.2));
  for (const auto& point : results["points"]) CHECK_FALSE(point.contains("probability_fastest"));
  CHECK(results["points"][1]["speedup_band"]["low"].is_number());
}

TEST_CASE("certainty: points without a recording in common are not compared", "[study]") {
  const ExampleStudy example(std::string(R"("seeds":2,)") + kTwoLatencies);
  const std::vector<ordered_json> kept = {row(1), row(2)};
  ordered_json results = {{"points",
                           {{{"status", "missing"}, {"predicted_time_s", {{"median", 1}}}},
                            {{"status", "missing"}, {"predicted_time_s", {{"median", 2}}}}}}};
  add_certainty(example.study, example.plan.points, {{&kept[0], nullptr}, {nullptr, &kept[1]}},
                false, results);
  for (const char* key : {"speedup_band", "effects", "against_fastest"})
    CHECK_FALSE(results["points"][1].contains(key));
}

TEST_CASE("certainty: what bands lack is named", "[study]") {
  const std::string remedy = ": record several runs and list them in \"traces\")";
  const auto lacks = [](const std::string& keys) {
    return results_of(ExampleStudy(keys + kTwoLatencies))["certainty"]["lacks"];
  };
  CHECK(lacks("")[0] ==
        "how much compute times vary and runs differ (one seed, one recording" + remedy);
  CHECK(lacks("")[1] == "the fit error of pair (its file states no uncertainty)");
  CHECK(lacks(R"("deltas":"mean",)")[0] ==
        "how much compute times vary and runs differ (deltas \"mean\", one recording" + remedy);
  CHECK(lacks(R"("deltas":"sample","seeds":2,)")[0] ==
        "how much runs differ (one recording" + remedy);
}

TEST_CASE("certainty: what points take over from the recording is named", "[study]") {
  const auto row_of = [](double time, const char* sharing) {
    ordered_json answer = {{"predicted_time_s", time}, {"computes_as_recorded", true}};
    if (*sharing != 0) answer["node_sharing"] = ordered_json::parse(sharing);
    return ordered_json{{"status", "done"}, {"answer", answer}};
  };
  const auto lacks = [&](const std::string& machines, bool is_scaled) {
    const ExampleStudy example(R"("models":true,"axes":[{"name":"machine","values":[)" + machines +
                               "]}]");
    std::vector<ordered_json> kept = {row_of(1, R"({"recorded":2,"replayed":16})"), row_of(2, "")};
    if (is_scaled) kept[1]["answer"]["computes_as_recorded"] = false;
    kept[0]["answer"]["preemption_left_out"] = {{"share", 0.021}};
    ordered_json results = {
        {"points",
         {{{"predicted_time_s", {{"median", 1}}}}, {{"predicted_time_s", {{"median", 2}}}}}}};
    add_certainty(example.study, example.plan.points, {{&kept[0]}, {&kept[1]}}, false, results);
    return results["certainty"]["lacks"].dump();
  };
  const std::string two =
      R"({"label":"a","platform":"pair.json"},{"label":"b","platform":"laptop"})";
  const std::string one =
      R"({"label":"a","platform":"pair.json"},{"label":"b","platform":"pair.json","placement":"cyclic"})";
  const char* const processors =
      "how fast the machines' processors are: those of 2 machines are taken to be as fast as the "
      "recording's";
  CHECK(lacks(two, false).find(processors) != std::string::npos);
  CHECK(lacks(two, true).find(processors) == std::string::npos);
  // One of two has a speed: everything depends on how fast the other is.
  CHECK(lacks(two, true).find("how fast the machines' processors are: those of 1 of 2 machines are "
                              "taken to be as fast as the recording's") != std::string::npos);
  CHECK(lacks(one, false)
            .find("what preempts the ranks of a run (of recordings up to 2.1% of the "
                  "run time; \\\"noise\\\": \\\"recorded\\\" includes it) at 1 of 2 "
                  "points") != std::string::npos);
  CHECK(lacks(one, false).find(processors) == std::string::npos);
  CHECK(
      lacks(one, false)
          .find(
              "what ranks on one node take from each other's memory bandwidth and caches (up to 16 "
              "compute there at the same time, 2 when recorded; \\\"memory_traffic\\\" includes "
              "the "
              "bandwidth) at 1 of 2 points") != std::string::npos);
}

TEST_CASE("certainty: results name the machines with their sizes and sources", "[study]") {
  const auto results = results_of(ExampleStudy(kTwoLatencies));
  CHECK(results["study"]["placement"] == "block");
  REQUIRE(results["study"]["machines"].size() == 1);
  const auto& machine = results["study"]["machines"][0];
  CHECK(machine["name"] == "pair");
  CHECK(machine["nodes"] == 2);
  CHECK(machine["cores"] == 1);
  CHECK(machine["source"] == "test");
  CHECK(machine["states_uncertainty"] == false);
}

TEST_CASE("certainty: other network models are asked for once a point, and widen its band",
          "[study]") {
  const ExampleStudy example(std::string(R"("models":true,"seeds":2,)") + kTwoLatencies);
  const auto results = results_of(example);
  for (const auto& point : results["points"]) {
    REQUIRE(point["models"].size() == 2);
    CHECK(point["models"][0]["network"] == "flow");
    CHECK(point["models"][0]["ratio"] == 1.0);
    CHECK(point["models"][1]["network"] == "queue");  // uncontended is blind to contention
    CHECK(point.contains("band"));
  }
  const auto calls = [&](std::uint32_t seed) {
    return std::count_if(example.plan.runs.begin(), example.plan.runs.end(), [&](const Run& run) {
      return run.seed == seed &&
             std::any_of(run.details.begin(), run.details.end(),
                         [](const Detail* one) { return one->key == "models"; });
    });
  };
  CHECK(calls(1) == 2);
  CHECK(calls(2) == 0);
}
