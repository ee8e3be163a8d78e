// SPDX-License-Identifier: MIT
// Where machines change places along an axis of numbers, and what the fastest point takes in nodes: whole sentences.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/report/made_study.hpp"

namespace reprise::sim {

using nlohmann::ordered_json;

// 1.2 times as long at half the bandwidth, 1 / 1.2 at twice: equal at 1, in the middle of the logarithms.
TEST_CASE("sentences: where two machines change places along an axis of numbers", "[report]") {
  MadeStudy study;
  study.axis("machine", {"EDR", "fast CPU"}).axis("bandwidth", {"0.5x", "2x", "4x"});
  study.results["study"]["axes"][1]["factors"] = {0.5, 2, 4};
  const auto add = [&](const char* machine, const char* bandwidth, double time, double queue) {
    study.point({machine, bandwidth}, time)["models"] = {{{"network", "flow"}, {"ratio", 1}},
                                                         {{"network", "queue"}, {"ratio", queue}}};
  };
  add("EDR", "0.5x", 1.0, 1);
  add("EDR", "2x", 0.5, 1);
  add("EDR", "4x", 0.4, 1);
  add("fast CPU", "0.5x", 1.2, 1.5);
  add("fast CPU", "2x", 0.5 / 1.2, 1.5);
  add("fast CPU", "4x", 0.3, 1.2);
  const auto has = [&](const std::string& text) {
    const auto list = answer_sentences(study.results);
    return std::ranges::any_of(list, [&](const ordered_json& one) { return one == text; });
  };
  // by queue 1.8, 1.25, 0.9 times EDR's: ln 1.25 / (ln 1.25 - ln 0.9) = 0.679 of the way from 2 to 4
  CHECK(
      has("Along bandwidth, EDR is the faster up to 0.5x and fast CPU from 2x on; they are equal "
          "at about 1.00x, with the queue network at about 3.20x."));
  study.results["points"][5]["models"][1]["ratio"] = 1.5;
  CHECK(
      has("Along bandwidth, EDR is the faster up to 0.5x and fast CPU from 2x on; they are equal "
          "at about 1.00x, with the queue network nowhere between."));
  study.results["points"][3]["predicted_time_s"]["median"] = 0.996;  // nothing worth a choice
  for (const auto& one : answer_sentences(study.results))
    CHECK_FALSE(one.get<std::string>().starts_with("Along "));
}

TEST_CASE("sentences: what the fastest point takes in nodes", "[report]") {
  MadeStudy study;
  study.axis("nodes", {"8 nodes", "4 nodes"});
  study.point({"8 nodes"}, 1.0)["nodes_used"] = 8;
  study.point({"4 nodes"}, 1.02)["nodes_used"] = 4;
  const auto sentences = answer_sentences(study.results);
  const auto has = [](const ordered_json& list, const std::string& text) {
    return std::ranges::any_of(list, [&](const ordered_json& one) { return one == text; });
  };
  const std::string text =
      "8 nodes takes 8 nodes, 4 nodes takes 4 nodes and 51\u202f% of the nodes' time (nodes × run "
      "time: 4.080\u202fs instead of 8.000\u202fs), the least of all.";
  CHECK(has(sentences, text));
  study.results["points"][1]["nodes_used"] = 8;
  CHECK_FALSE(has(answer_sentences(study.results), text));
}

}  // namespace reprise::sim
