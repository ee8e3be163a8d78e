// SPDX-License-Identifier: MIT
// The page of a comparison: its sentence, the bars of its waterfall, and what it says where the critical path is not known.
#include "sim/report/comparison_page.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <regex>

#include "sim/report/waterfall.hpp"

namespace reprise::sim {
namespace {

nlohmann::ordered_json comparison() {
  return nlohmann::ordered_json::parse(
      std::ifstream(std::string(REPRISE_TEST_RESULTS) + "/comparison.json"));
}

// The bars of a waterfall: begin and end in the picture's units.
std::vector<std::pair<double, double>> bars_of(const std::string& svg) {
  const std::regex bar("<rect x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
  std::vector<std::pair<double, double>> bars;
  for (std::sregex_iterator at(svg.begin(), svg.end(), bar), end; at != end; ++at)
    bars.emplace_back(std::stod((*at)[1]), std::stod((*at)[1]) + std::stod((*at)[2]));
  return bars;
}

}  // namespace

TEST_CASE("comparison page: says by how much and what most of it is", "[report]") {
  const auto page = comparison_page(comparison());
  CHECK_THAT(page, Catch::Contains("<strong>B</strong> takes 60\u202f% less time than "
                                   "<strong>A</strong>: 3.400\u202fms instead of 8.400\u202fms."));
  CHECK_THAT(page, Catch::Contains("The largest change on the critical path is <strong>receive "
                                   "overhead, between nodes</strong>, −2.700\u202fms: "
                                   "100.0\u202fµs instead of 2.800\u202fms."));
  CHECK_THAT(page, Catch::Contains("heat2d.reprise on infiniband-edr (648 nodes of 32 cores)"));
  auto turned = comparison();
  std::swap(turned["predicted_time_s"][0], turned["predicted_time_s"][1]);
  CHECK_THAT(comparison_page(turned), Catch::Contains("takes 2.47 times as long as"));
  turned["predicted_time_s"][0] = turned["predicted_time_s"][1];
  CHECK_THAT(comparison_page(turned),
             Catch::Contains("A and B take the same time, 8.400\u202fms."));
}

TEST_CASE("comparison page: without a critical path it says how to get one", "[report]") {
  auto without = comparison();
  without.erase("critical_path");
  const auto page = comparison_page(without);
  CHECK_THAT(page, Catch::Contains("At least one answer has no critical path: write both with "
                                   "`--details critical-path,wait-states,call-sites`."));
  CHECK(bars_of(page).empty());
}

TEST_CASE("comparison page: says how sure it is, and all notes, also without wait states",
          "[report]") {
  auto json = comparison();
  json["unchanged"] = {{"ranks", {{"rows", 2}, {"seconds", 0.5}}}};
  json["ranks"] = {{{"what", "wait"}, {"before_s", 1}, {"after_s", 2}, {"change_s", 1}}};
  CHECK_THAT(comparison_page(json),
             Catch::Contains("2 rows without change: 500.0\u202fms in A and in B."));
  CHECK(comparison_page(json).find("id=\"notes\"") == std::string::npos);
  json["how_sure"] = "unknown: two recordings";
  json["notes"] = {"before: the recording was disturbed", "after: not represented: MPI_Put"};
  json.erase("wait_states");
  const auto page = comparison_page(json);
  CHECK_THAT(page,
             Catch::Contains("<p><strong>How sure</strong>: unknown: two recordings.</p>") &&
                 Catch::Contains("id=\"notes\"") &&
                 Catch::Contains("<p class=\"note\">before: the recording was disturbed</p>") &&
                 Catch::Contains("<p class=\"note\">after: not represented: MPI_Put</p>"));
}

TEST_CASE("comparison page: functions have a table", "[report]") {
  auto json = comparison();
  json["functions"] = {
      {{"what", "flux"}, {"before_s", 2e-3}, {"after_s", 1e-3}, {"change_s", -1e-3}}};
  CHECK_THAT(comparison_page(json),
             Catch::Contains("id=\"functions-changes\"") && Catch::Contains("flux"));
}

// System: from 10 s by −4 s and +1 s to 7 s.
TEST_CASE("waterfall: each bar begins where the one before it ends", "[report]") {
  const auto bars =
      bars_of(report::waterfall_svg(10, 7, {{"latency", -4}, {"compute", 1}}).written());
  REQUIRE(bars.size() == 4);
  const double unit = (bars[0].second - bars[0].first) / 10;
  CHECK(bars[1].second == Approx(bars[0].second));
  CHECK(bars[1].second - bars[1].first == Approx(4 * unit));
  CHECK(bars[2].first == Approx(bars[1].first));
  CHECK(bars[2].second - bars[2].first == Approx(unit).epsilon(1e-3));
  CHECK(bars[3].first == bars[0].first);
  CHECK(bars[3].second == Approx(bars[2].second));
}

TEST_CASE("waterfall: small changes of a long time are drawn larger, and it says so", "[report]") {
  const auto svg = report::waterfall_svg(100, 99, {{"latency", -2}, {"compute", 1}}).written();
  CHECK_THAT(svg, Catch::Contains("which does not start at 0 here"));
  const auto bars = bars_of(svg);
  REQUIRE(bars.size() == 4);
  CHECK(bars[1].second - bars[1].first > 200);
  CHECK_FALSE(report::waterfall_svg(10, 7, {{"latency", -3}}).written().find("at 0 here") !=
              std::string::npos);
}

TEST_CASE("waterfall: many parts end with one for the rest", "[report]") {
  std::vector<report::WaterfallPart> parts;
  for (int i = 0; i < 30; ++i) parts.push_back({"part " + std::to_string(i), 30.0 - i});
  const auto svg = report::waterfall_svg(1, 1 + 465, parts).written();
  CHECK(bars_of(svg).size() == 2 + 14 + 1);
  CHECK_THAT(svg, Catch::Contains("16 smaller parts: +136.0\u202fs"));
}

}  // namespace reprise::sim
