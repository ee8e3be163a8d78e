// SPDX-License-Identifier: MIT
// Where machines change places along an axis of numbers, and what the fastest point takes in nodes: whole sentences.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/report/sentences.hpp"
#include "sim/report/study_view.hpp"
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

// Two applications of the weights 3/4 and 1/4. At half the bandwidth B takes 2 and 1/2 times as long as A, at twice 1/2 and 1 times: together
// 2^(3/4 - 1/4) = 2^0.5 and 2^-0.75, equal after 0.5 / 1.25 of the way from 0.5 to 2: 0.5 · 4^0.4 = 0.871.
TEST_CASE("sentences: where two values change places for all applications of a basket",
          "[report]") {
  MadeStudy study;
  study.axis("application", {"long", "short"})
      .axis("machine", {"A", "B"})
      .axis("bandwidth", {"0.5x", "2x"});
  study.results["study"]["baseline"].erase("application");
  study.results["study"]["applications"] = {{{"label", "long"}, {"weight", 0.75}},
                                            {{"label", "short"}, {"weight", 0.25}}};
  study.results["study"]["axes"][2]["factors"] = {0.5, 2};
  study.point({"long", "A", "0.5x"}, 1);
  study.point({"long", "A", "2x"}, 1);
  study.point({"long", "B", "0.5x"}, 2);
  study.point({"long", "B", "2x"}, 0.5);
  study.point({"short", "A", "0.5x"}, 10);
  study.point({"short", "A", "2x"}, 10);
  study.point({"short", "B", "0.5x"}, 5);
  study.point({"short", "B", "2x"}, 10);
  const auto crossings = [&] {
    const auto view = report::view_of(study.results);
    std::vector<std::string> texts;
    for (const auto& text : report::crossing_sentences(view)) texts.push_back(report::plain(text));
    return texts;
  };
  CHECK(crossings() ==
        std::vector<std::string>{
            "Along bandwidth, for all applications together, A is the faster up to 0.5x and B from "
            "2x on; they are equal at about 0.871x."});
  study.results["points"][7]["status"] = "failed";  // not all applications at 2x
  CHECK(crossings().empty());
}

TEST_CASE("sentences: two versions of one program beside each other", "[report]") {
  MadeStudy study;
  study.axis("application", {"before", "after"}).axis("latency", {"1x", "2x"});
  study.results["study"]["baseline"].erase("application");
  const auto application = [](const char* label, const char* program) {
    return ordered_json{{"label", label}, {"weight", 0.5}, {"traces", {{{"program", program}}}}};
  };
  study.results["study"]["applications"] = {application("before", "/old/solve"),
                                            application("after", "/new/solve")};
  study.point({"before", "1x"}, 1);
  study.point({"before", "2x"}, 1.2);
  study.point({"after", "1x"}, 0.8)["against_first_application"] = certain(0.8, 0.75, 0.86, 0.99);
  study.point({"after", "2x"}, 1.08)["against_first_application"] = certain(0.9, 0.85, 0.95, 0.99);
  const auto said = [&] {
    return report::plain(report::versions_sentence(report::view_of(study.results)));
  };
  CHECK(said() ==
        "after takes 20\u202f% less time than before (95\u202f%: 25\u202f% less time to 14\u202f% "
        "less time) at the baseline; over the 2 combinations 20\u202f% less time to 10\u202f% less "
        "time.");
  study.results["points"].erase(3);
  study.results["points"][2]["against_first_application"] = certain(1.5, 1.5, 1.5, 0.5);
  CHECK(said() ==
        "after takes 50\u202f% more time than before (how sure is not known: one simulation of "
        "each, or seeds that change nothing).");
  study.results["study"]["applications"][1]["traces"][0]["program"] = "/new/other";
  CHECK(said().empty());
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
