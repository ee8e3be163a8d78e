// SPDX-License-Identifier: MIT
// On what a probability rests, which range is what, and how much the network models differ: whole sentences.
#include <catch2/catch.hpp>

#include "tests/report/made_study.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// Two machines, of which A is the faster one; recorded four times, or once.
MadeStudy two_machines(int recordings) {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  for (const char* machine : {"A", "B"}) {
    const bool is_first = machine == std::string("A");
    auto& point = study.point({machine}, is_first ? 1 : 1.1);
    point["predicted_time_s"]["seeds"] = 4;
    if (recordings > 1) point["predicted_time_s"]["recordings"] = recordings;
    point["band"] = {{"low_s", is_first ? 0.9 : 0.99},
                     {"high_s", is_first ? 1.2 : 1.32},
                     {"shares", {{"compute_times", 0.6}, {"calibration", 0.4}}}};
  }
  study.results["points"][1]["against_fastest"] = certain(1.1, 1.08, 1.12, 0);
  return study;
}

ordered_json machine(const char* name, bool states_uncertainty) {
  return {{"name", name},
          {"platform", std::string(name) + ".json"},
          {"states_uncertainty", states_uncertainty}};
}

std::string condition_with(std::vector<ordered_json> machines) {
  auto study = two_machines(1);
  study.results["study"]["machines"] = std::move(machines);
  const std::string sentence = study.sentence(1);
  return sentence.substr(0, sentence.find(':'));
}

}  // namespace

TEST_CASE("bands: a probability names its condition in the same sentence", "[report]") {
  CHECK(condition_with({machine("A", true), machine("B", true)}) ==
        "How sure, over seeds and fit errors alone");
  CHECK(condition_with({machine("A", false), machine("B", false)}) ==
        "How sure, over seeds and fit errors alone, if both machines' files are exact");
  CHECK(condition_with({machine("A", true), machine("B", false)}) ==
        "How sure, over seeds and fit errors alone, if the file of B is exact");
  CHECK(condition_with({machine("A", true), machine("B", false), machine("C", false)}) ==
        "How sure, over seeds and fit errors alone, if the files of 2 of the 3 machines are exact");
  CHECK(condition_with({machine("A", false)}) ==
        "How sure, over seeds and fit errors alone, if the machine's file is exact");
  CHECK(condition_with({machine("", false)}).ends_with("if the machine's file is exact"));
}

TEST_CASE("bands: of runs, with why they overlap where the order is sure", "[report]") {
  CHECK(two_machines(4).sentence(2) ==
        "A further run of A takes 0.9000 to 1.200\u202fs, and one of B 0.9900 to 1.320\u202fs, "
        "with a probability of 95\u202f%; a range \u201cover 4 recordings\u201d is from the least "
        "to the most of these. These bands overlap, yet the order is sure: points are compared "
        "recording by recording, so that a slow run counts for both. Of the variance, 60\u202f% "
        "is the difference between recordings, 40\u202f% is the fit error of the machine.");
  auto undisturbed = two_machines(4);
  undisturbed.results["certainty"]["leaves_preemption_out"] = true;
  CHECK(undisturbed.sentence(2).starts_with(
      "If nothing preempts it, a further run of A takes 0.9000 to 1.200\u202fs, and one of B"));
  auto once = two_machines(1);
  CHECK(once.sentence(2) ==
        "Over seeds and fit errors alone, A takes 0.9000 to 1.200\u202fs, and B 0.9900 to "
        "1.320\u202fs. These bands overlap, yet the order is sure: points are compared seed by "
        "seed, so that what slows one down slows the other, too. Of the variance, 60\u202f% is "
        "the difference between seeds, 40\u202f% is the fit error of the machine.");
  once.results["points"][1]["band"]["low_s"] = 1.21;
  CHECK(once.sentence(2).find("overlap") == std::string::npos);
}

TEST_CASE("bands: what other network models change", "[report]") {
  auto study = two_machines(1);
  const auto models = [&](double queue, double alone) {
    for (auto& point : study.results["points"])
      point["models"] = {{{"network", "flow"}, {"ratio", 1.0}},
                         {{"network", "queue"}, {"ratio", queue}},
                         {{"network", "uncontended"}, {"ratio", alone}}};
    return study.sentence(3);
  };
  const std::string begin =
      "With queue or uncontended as the network model instead of flow, run times change by ";
  CHECK(models(1.02, 0.9) == begin + "\u221210\u202f% to +2.0\u202f%.");
  CHECK(models(1.0, 0.9) == begin + "up to \u221210\u202f%.");
  CHECK(models(1.02, 1.0) == begin + "up to +2.0\u202f%.");
  CHECK(models(1.0001, 1.0) == begin + "less than 0.1\u202f%.");
}

TEST_CASE("bands: differences and a last place that another network model does not confirm",
          "[report]") {
  MadeStudy study;
  study.axis("algorithm", {"linear", "pairwise", "bruck"}).axis("bandwidth", {"1x", "2x"});
  const auto add = [&](const char* algorithm, const char* bandwidth, double time, double queue) {
    auto& point = study.point({algorithm, bandwidth}, time);
    point["models"] = {{{"network", "flow"}, {"ratio", 1.0}},
                       {{"network", "queue"}, {"ratio", queue}}};
  };
  const auto effect = [&](std::size_t point, double ratio) {
    study.results["points"][point]["effects"]["algorithm"] = certain(ratio, ratio, ratio, 0);
  };
  add("linear", "1x", 1, 1);
  add("pairwise", "1x", 1.85, 0.6);
  add("bruck", "1x", 1.5, 1);
  add("linear", "2x", 0.5, 1);
  add("pairwise", "2x", 0.75, 0.64);
  add("bruck", "2x", 0.7, 1);
  effect(1, 1.85);
  effect(2, 1.5);
  effect(4, 1.5);
  effect(5, 1.4);
  const auto said = [&] {
    for (const auto& sentence : answer_sentences(study.results))
      if (sentence.get<std::string>().starts_with("With queue")) return sentence.get<std::string>();
    return std::string();
  };
  const std::string begin =
      "With queue as the network model instead of flow, run times change by up to \u221240\u202f%";
  CHECK(said() == begin +
                      ". By queue pairwise instead of linear costs 11\u202f% instead of 85\u202f% "
                      "with bandwidth 1x; 1 more such difference changes by more than 5.0\u202f%; "
                      "slowest is bruck, bandwidth 1x, not pairwise, bandwidth 1x.");
  for (auto& point : study.results["points"]) point["models"][1]["ratio"] = 0.6;
  CHECK(said() == begin + ".");
}

TEST_CASE("bands: a baseline that the study does not name says how it came to be that",
          "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.point({"A"}, 2);
  study.point({"B"}, 1);
  const std::string begin =
      "Fastest is B: the run takes 1.000\u202fs, 2.00 times as fast as the baseline (A";
  CHECK(study.sentence(0) == begin + ").");
  study.results["study"]["baseline_named"] = true;
  CHECK(study.sentence(0) == begin + ").");
  study.results["study"]["baseline_named"] = false;
  CHECK(study.sentence(0) == begin + ", the first value).");
  study.results["study"]["axes"][0]["labels"] = {"B", "A"};
  CHECK(study.sentence(0) == begin + ", the default).");
}

}  // namespace reprise::sim
