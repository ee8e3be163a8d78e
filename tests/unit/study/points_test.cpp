// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "platforms/json/document.hpp"
#include "sim/study/study.hpp"
#include "sim/study/study_file.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::sim;

namespace {

Study study_that_asks(const std::string& keys) {
  return parse_study(reprise::platforms::parse_document(
      R"({"format":1,"name":"s","question":"q","trace":"t.reprise",)" + keys + "}", "s.json"));
}

std::string labels(const Study& study) {
  std::string text;
  for (const Point& point : points_of(study))
    text += describe(study, point) + (point.is_baseline ? " (baseline)\n" : "\n");
  return text;
}

}  // namespace

TEST_CASE("points: every combination, the last axis fastest", "[study]") {
  CHECK(
      labels(study_that_asks(
          R"("axes":[{"name":"a","path":"/x","multiply_by":[0.5,1]},{"name":"b","path":"/y","set_to":["1 us","2 us"]}])")) ==
      "a 0.5x, b 1 us\na 0.5x, b 2 us\na 1x, b 1 us (baseline)\na 1x, b 2 us\n");
}

TEST_CASE("points: no axes are one point", "[study]") {
  CHECK(labels(study_that_asks(R"("seeds":2)")) == "the only point (baseline)\n");
}

TEST_CASE("points: an exclusion takes out what has one of its values on each of its axes",
          "[study]") {
  const std::string axes =
      R"("axes":[{"name":"a","path":"/x","multiply_by":[1,2,4]},{"name":"b","path":"/y","multiply_by":[1,2]}])";
  CHECK(labels(study_that_asks(axes + R"(,"exclude":[{"a":["2x","4x"],"b":"2x"}])")) ==
        "a 1x, b 1x (baseline)\na 1x, b 2x\na 2x, b 1x\na 4x, b 1x\n");
  CHECK(labels(study_that_asks(axes + R"(,"exclude":[{"a":"2x"},{"b":"2x"}])")) ==
        "a 1x, b 1x (baseline)\na 4x, b 1x\n");
}

TEST_CASE("points: the baseline is what the study names, else what changes nothing, else the first",
          "[study]") {
  const std::string axes =
      R"("axes":[{"name":"a","path":"/x","multiply_by":[2,1]},{"name":"m","values":[{"label":"p","placement":"cyclic"},{"label":"q"}]},
                 {"name":"l","path":"/y","set_to":[5,6]}])";
  CHECK(study_that_asks(axes).baseline == std::vector<std::size_t>{1, 1, 0});
  CHECK(study_that_asks(axes + R"(,"baseline":{"m":"p","l":"6"})").baseline ==
        std::vector<std::size_t>{1, 0, 1});
}

TEST_CASE("points: more than a million simulations are refused", "[study]") {
  std::string factors = "1";
  for (int i = 2; i <= 100; ++i) factors += "," + std::to_string(i);
  std::string axes;
  for (const char* name : {"a", "b", "c"})
    axes += std::string(axes.empty() ? "" : ",") + R"({"name":")" + name +
            R"(","path":"/x","multiply_by":[)" + factors + "]}";
  CHECK(points_of(study_that_asks("\"axes\":[" + axes + "]")).size() == 1'000'000);
  CHECK_THROWS_WITH(points_of(study_that_asks("\"axes\":[" + axes + "],\"seeds\":2")),
                    "s.json: more than 1000000 simulations\n  axis values multiply: shorten an "
                    "axis, or split the study");
}
