// SPDX-License-Identifier: MIT
// Whether a point's run time depends on MPI's progress: asked with the first seed, and said by the point.
#include <catch2/catch.hpp>

#include "sim/study/merge.hpp"
#include "sim/study/point_answer.hpp"
#include "sim/study/simulate.hpp"
#include "tests/unit/study/example_study.hpp"

using namespace reprise::sim;
using nlohmann::ordered_json;

namespace {

// A message of 4 ms on its way while both ranks compute 8 ms: there after 8 ms, or after 12 if nothing moves meanwhile.
constexpr const char* kOverlap = R"(
    ranks 0: MPI_Isend peer=1 tag=7 bytes=4000000 request=0
    ranks 1: MPI_Irecv peer=0 tag=7 bytes=4000000 request=0
    MPI_Waitall requests=[0] | compute 8ms)";

CollectedRows rows_of(const ExampleStudy& example) {
  CollectedRows rows;
  for (const auto& run : example.plan.runs)
    rows.by_key[run.key] = simulate(example.study, example.inputs, example.plan, run).row;
  return rows;
}

}  // namespace

TEST_CASE("in calls: a point says once whether its time depends on MPI's progress", "[study]") {
  const ExampleStudy example(R"("seeds":3)", kOverlap);
  REQUIRE(example.plan.runs.size() == 3);
  const CollectedRows rows = rows_of(example);
  for (const auto& run : example.plan.runs)
    CHECK(rows.by_key.at(run.key)["answer"].contains("progress_in_calls") == (run.seed == 1));
  const auto results = results_of(example.study, example.inputs, example.plan, rows);
  const ordered_json& point = results["points"][0];
  CHECK(point["predicted_time_s"]["median"].get<double>() == Approx(8e-3).epsilon(0.01));
  CHECK(point["progress_in_calls"]["predicted_time_s"].get<double>() ==
        Approx(12e-3).epsilon(0.01));
  CHECK(point["progress_in_calls"]["noticed"].get<bool>());
  REQUIRE(point["remarks"].size() == 1);
  CHECK(point["remarks"][0].get<std::string>().starts_with(
      "if MPI makes progress only inside its calls, the run takes 0.012"));
}

// The median of three is not the first's time; what the first makes of its own is what the point makes of it.
TEST_CASE("in calls: a point's time then is its own times the factor", "[study]") {
  const auto answer = [](double own, double then) {
    return ordered_json{{"status", "done"},
                        {"reason", ""},
                        {"answer",
                         {{"predicted_time_s", own},
                          {"progress_in_calls",
                           {{"predicted_time_s", then}, {"settled", false}, {"noticed", true}}}}}};
  };
  const auto first = answer(1, 1.5), second = answer(2, 3);
  ordered_json third = answer(4, 6);
  third["answer"].erase("progress_in_calls");
  const auto point = point_answer({&first, &second, &third});
  CHECK(point["progress_in_calls"]["predicted_time_s"].get<double>() == Approx(3));
}

TEST_CASE("in calls: a study of a program without overlap says nothing", "[study]") {
  const ExampleStudy example(R"("seeds":2)");
  const auto results = results_of(example.study, example.inputs, example.plan, rows_of(example));
  const ordered_json& point = results["points"][0];
  CHECK_FALSE(point["progress_in_calls"]["noticed"].get<bool>());
  CHECK(point["progress_in_calls"]["predicted_time_s"] == point["predicted_time_s"]["median"]);
  CHECK(results["points"][0].value("remarks", ordered_json::array()).empty());
}
