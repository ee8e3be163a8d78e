// SPDX-License-Identifier: MIT
// What a study file means; what is refused, and how, stands in tests/unit/rejected/study.
#include "sim/study/study_file.hpp"

#include <catch2/catch.hpp>

#include "tests/cli/scratch.hpp"

using namespace reprise;
using namespace reprise::sim;

namespace {

Study study_with(const std::string& keys, const std::string& file = "folder/s.json") {
  return parse_study(platforms::parse_document(
      R"({"format":1,"name":"s","question":"q","trace":"t.reprise")" + keys + "}", file));
}

}  // namespace

TEST_CASE("study file: what is left out is one simulation on the machine of the recording",
          "[study]") {
  const Study study = study_with("");
  CHECK(study.applications[0].traces == std::vector<std::string>{"folder/t.reprise"});
  CHECK(study.platform.empty());
  CHECK(study.placement == "block");
  CHECK(study.network == NetworkKind::flow);
  CHECK(study.deltas == Deltas::ordered);
  CHECK(study.seeds == 1);
  CHECK(study.axes.empty());
  CHECK(study.efficiencies);
  CHECK_FALSE(study.sensitivities);
  CHECK(study.limits.cpu_time.value == 0);
}

TEST_CASE("study file: paths are relative to it, names of ready machines are not paths",
          "[study]") {
  const Study study = study_with(
      R"(,"axes":[{"name":"m","values":[{"label":"a","platform":"infiniband-edr"},{"label":"b","platform":"mine.json"},
                                    {"label":"c","platform":"../p/mine"},{"label":"d","platform":"/p/mine.xml"}]}])");
  const auto& values = study.axes[0].values;
  CHECK(values[0].platform == "infiniband-edr");
  CHECK(values[1].platform == "folder/mine.json");
  CHECK(values[2].platform == "p/mine");
  CHECK(values[3].platform == "/p/mine.xml");
  CHECK(study_with(R"(,"platform":"mine.json")", "s.json").platform == "./mine.json");
}

TEST_CASE("study file: several seeds draw, unless it says otherwise", "[study]") {
  CHECK(study_with(R"(,"seeds":5)").deltas == Deltas::ordered);
  CHECK(study_with(R"(,"seeds":5)").seeds == 5);
  CHECK(study_with(R"(,"deltas":"mean")").deltas == Deltas::mean);
}

TEST_CASE("study file: an axis of factors has them, their labels, and one change each", "[study]") {
  const Study study = study_with(
      R"(,"axes":[{"name":"bandwidth","path":"/network/link/bandwidth","multiply_by":[0.5,1,10]}])");
  const Axis& axis = study.axes[0];
  CHECK(axis.path == "/network/link/bandwidth");
  CHECK(axis.factors == std::vector<double>{0.5, 1, 10});
  REQUIRE(axis.values.size() == 3);
  CHECK(axis.values[0].label == "0.5x");
  CHECK(axis.values[2].label == "10x");
}

TEST_CASE("study file: scenario files are an axis, called by their names", "[study]") {
  const Scratch scratch;
  scratch.file(
      "slow.json",
      R"({"format":1,"name":"slow link","question":"?","changes":[{"path":"/network/link/latency","multiply_by":2}]})");
  const auto file = scratch.file(
      "s.json",
      R"({"format":1,"name":"s","question":"q","trace":"t","scenarios":["none","slow.json"]})");
  const Study study = load_study(file);
  REQUIRE(study.axes.size() == 1);
  CHECK(study.axes[0].name == "scenario");
  CHECK(study.axes[0].values[0].label == "none");
  CHECK(study.axes[0].values[0].changes.empty());
  CHECK(study.axes[0].values[1].label == "slow link");
  CHECK(study.axes[0].values[1].changes.size() == 1);
  CHECK(study.baseline == std::vector<std::size_t>{0});
}

TEST_CASE("study file: limits and the command that recorded", "[study]") {
  const Study study = study_with(
      R"(,"limits":{"cpu_time":"90 s","memory":"2 GiB"},"record":["mpirun","-n","4","app"])");
  CHECK(study.limits.cpu_time.value == 90);
  CHECK(study.limits.memory.value == std::uint64_t{2} << 30);
  CHECK(study.applications[0].record == std::vector<std::string>{"mpirun", "-n", "4", "app"});
}
