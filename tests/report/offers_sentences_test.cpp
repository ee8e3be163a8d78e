// SPDX-License-Identifier: MIT
// Baskets and machines with prices in words: whole sentences.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/report/made_study.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// Two applications on machines of 4 and of 8 nodes; B runs both faster.
MadeStudy basket() {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.axis("application", {"small", "large"});
  const double times[2][2] = {{2, 4}, {1, 3}};
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      study.point({i == 0 ? "A" : "B", k == 0 ? "small" : "large"}, times[i][k]);
  const auto offer = [&](const char* machine, int i, double nodes, double speedup) {
    ordered_json applications = {{{"label", "small"}, {"ranks", 4}, {"time_s", times[i][0]}},
                                 {{"label", "large"}, {"ranks", 4}, {"time_s", times[i][1]}}};
    return ordered_json{{"labels", {{"machine", machine}}},
                        {"missing", ordered_json::array()},
                        {"applications", std::move(applications)},
                        {"nodes", nodes},
                        {"jobs_per_hour", 100 * nodes},
                        {"jobs_per_node_hour", 100},
                        {"speedup", speedup},
                        {"is_baseline", i == 0}};
  };
  study.results["study"]["applications"] = {{{"label", "small"}}, {{"label", "large"}}};
  study.results["offers"] = {{"by", "work"},
                             {"weights", {{"small", 0.5}, {"large", 0.5}}},
                             {"list", {offer("B", 1, 4, 1.63), offer("A", 0, 8, 1)}}};
  return study;
}

// The same by work for the money: B costs 1000 EUR, A PRICE, and B does 1.5 times as much, for which A has this probability to be the better.
MadeStudy priced_basket(double price, double probability) {
  MadeStudy study = basket();
  study.results["offers"]["by"] = "work for the money";
  study.results["offers"]["currency"] = "EUR";
  ordered_json& list = study.results["offers"]["list"];
  list[0]["price"] = 1000;
  list[1]["price"] = price;
  list[1]["against_best"] = certain(1.5, 1.4, 1.6, probability);
  return study;
}

}  // namespace

TEST_CASE("offers: without prices run times are compared, not jobs of machines of unlike size",
          "[report]") {
  auto study = basket();
  ordered_json& list = study.results["offers"]["list"];
  list[1]["against_best"] = certain(1.63, 1.6, 1.66, 0);
  list[0]["probability_best"] = 1;
  CHECK(study.sentence(0) ==
        "B runs the applications fastest, 1.63 times as fast as A, the next (over seeds: 1.60 to "
        "1.66), in the weighted geometric mean over the applications. On it, small takes "
        "1.000\u202fs "
        "instead of 2.000\u202fs, large 3.000\u202fs instead of 4.000\u202fs: 1.63 times as fast "
        "as the baseline (A).");
  for (const auto& sentence : answer_sentences(study.results))
    CHECK(sentence.get<std::string>().find("jobs per hour") == std::string::npos);
  const auto page = study_page(study.results);
  CHECK(page.find("All applications together, the fastest first") != std::string::npos);
  CHECK(page.find("jobs per hour, whole machine") == std::string::npos);
}

TEST_CASE("offers: times of several recordings say what they are", "[report]") {
  auto study = basket();
  study.results["offers"]["list"][1]["against_best"] = certain(1.63, 1.6, 1.66, 0);
  for (auto& point : study.results["points"]) {
    point["predicted_time_s"]["seeds"] = 5;
    point["predicted_time_s"]["recordings"] = 5;
  }
  CHECK(study.sentence(0).ends_with(
      "On it, small takes 1.000\u202fs instead of 2.000\u202fs, large 3.000\u202fs instead of "
      "4.000\u202fs (geometric means over 5 recordings; the table of points has medians): 1.63 "
      "times as fast as the baseline (A)."));
}

// B is faster on twice the nodes; a node of A does nearly twice the work.
TEST_CASE("offers: without prices, sentences give the nodes of the fastest and the work of a node",
          "[report]") {
  auto study = basket();
  ordered_json& list = study.results["offers"]["list"];
  list[1]["against_best"] = certain(1.02, 1.01, 1.03, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    for (auto& one : list[i]["applications"]) one["nodes"] = i == 0 ? 8 : 4;
    list[i]["jobs_per_node_hour"] = i == 0 ? 1159 : 2284;
  }
  CHECK(study.sentence(0).ends_with(
      " There a job takes 8 nodes, and a node does 1\u202f159 jobs per hour; on A a job takes 4 "
      "nodes, and a node does 2\u202f284 jobs per hour, the most of all."));
  list[0]["applications"][0]["nodes"] = 4;
  CHECK(study.sentence(0).find("There a job takes 6 nodes in the mean, and") != std::string::npos);
  list[0]["jobs_per_node_hour"] = 2200;
  CHECK(study.sentence(0).find("There a job") == std::string::npos);
}

TEST_CASE("offers: sentences give weights as they were chosen", "[report]") {
  auto study = basket();
  auto& offers = study.results["offers"];
  offers["list"][1]["against_best"] = certain(1.63, 1.6, 1.66, 0);
  const auto has = [&](const std::string& text) {
    for (const auto& sentence : answer_sentences(study.results))
      if (sentence.get<std::string>() == text) return true;
    return false;
  };
  offers["weights"] = {{"small", 0.125}, {"large", 0.875}};
  CHECK(has("Of the jobs, 12.5\u202f% are of small, 87.5\u202f% of large."));
  offers["weights"] = {{"a", 0.25}, {"b", 0.25}, {"c", 0.25}, {"d", 0.25}};
  CHECK(has("Of the jobs, as many are of each of the 4 applications, 25\u202f%."));
}

TEST_CASE("offers: those that count as equal are named together", "[report]") {
  auto study = basket();
  ordered_json& list = study.results["offers"]["list"];
  list[1]["against_best"] = certain(1.001, 0.997, 1.005, 0.4);
  CHECK(study.sentence(0) ==
        "Nothing that was varied makes a difference to all applications together: all 2 "
        "combinations are as fast, within 0.5\u202f%. On B, small takes 1.000\u202fs instead of "
        "2.000\u202fs, large 3.000\u202fs instead of 4.000\u202fs: 1.63 times as fast as the "
        "baseline (A).");
}

TEST_CASE("offers: those that cannot be told apart are not called equal", "[report]") {
  auto study = basket();
  ordered_json& list = study.results["offers"]["list"];
  list[1]["against_best"] = certain(1.08, 0.96, 1.21, 0.12);
  CHECK(
      study.sentence(0) ==
      "B runs the applications fastest, in the weighted geometric mean over the applications, but "
      "A cannot be told from it: it takes an estimated 1.08 times as long (over seeds: 0.960 to "
      "1.21) and is slower with a probability of 88\u202f%. What would tell them apart: several "
      "recordings of the program. On B, small takes 1.000\u202fs instead of 2.000\u202fs, large "
      "3.000\u202fs instead of 4.000\u202fs: 1.63 times as fast as the baseline (A).");
  study.results["offers"]["by"] = "work for the money";
  study.results["offers"]["currency"] = "EUR";
  list[0]["price"] = 1000;
  list[0]["jobs_per_money"] = 20;
  CHECK(study.sentence(0) ==
        "B does most work for the money, 20.0 jobs per EUR, but A cannot be told from it: it needs "
        "an estimated 1.08 times as much money for the same work (over seeds: 0.960 to 1.21) and "
        "does less for the money with a probability of 88\u202f%. What would tell them apart: "
        "several recordings of the program.");
}

// A is the better for `small` alone: score = 0.7 log 1 + 0.3 log 4 = 0.416, that of B 0.7 log 1.2 + 0.3 log 2 = 0.336; equal where
// w log 1.2 = (1 - w) log 2, at w = 0.792.
TEST_CASE("offers: other weights change the ranking where a factor of two reaches them",
          "[report]") {
  auto study = basket();
  auto& offers = study.results["offers"];
  offers["weights"] = {{"small", 0.7}, {"large", 0.3}};
  auto& list = offers["list"];
  list[1]["against_best"] = certain(1.08, 1.07, 1.09, 0);
  list[1]["applications"][0]["time_s"] = 1;
  list[1]["applications"][1]["time_s"] = 4;
  list[0]["applications"][0]["time_s"] = 1.2;
  list[0]["applications"][1]["time_s"] = 2;
  const auto has = [&](const std::string& text) {
    for (const auto& sentence : answer_sentences(study.results))
      if (sentence.get<std::string>().find(text) != std::string::npos) return true;
    return false;
  };
  CHECK(
      has("What would change the ranking: a weight of small above 79\u202f% instead of 70\u202f% "
          "would put A first."));
  // at w = 0.975, a factor of 1.4 for `small` but of 12 for `large`
  list[0]["applications"][0]["time_s"] = 1.018;
  CHECK(has("a weight of small above 97\u202f% instead of 70\u202f%"));
  offers["weights"] = {{"small", 0.3}, {"large", 0.7}};
  CHECK_FALSE(has("What would change the ranking"));
  // Of work for the money, 400 jobs for 1000 EUR and 800 for 3000: B costs 2.5 / 1.52 (1.2 w + 2 (1 - w)), A 3.75 / 2.2 (w + 4 (1 - w)) a job.
  offers["by"] = "work for the money";
  offers["weights"] = {{"small", 0.6}, {"large", 0.4}};
  list[0]["price"] = 1000;
  list[1]["price"] = 3000;
  list[0]["applications"][0]["time_s"] = 1.2;
  CHECK(has("a weight of small above 93\u202f% instead of 60\u202f% would put A first."));
  CHECK(has("Of the jobs, 60\u202f% are of small, 40\u202f% of large."));
}

TEST_CASE(
    "offers: nodes are counted whole; that jobs are simulated alone is said where they share links",
    "[report]") {
  auto study = priced_basket(3000, 0);
  ordered_json& list = study.results["offers"]["list"];
  const std::string whole =
      "A job has its nodes to itself: nodes are counted whole, and those too few for one more job "
      "stay idle.";
  const auto alone = [&] {
    const auto sentences = answer_sentences(study.results);
    return std::ranges::count(
        sentences,
        ordered_json(whole +
                     " Each job was simulated alone. Jobs that fill a machine together share the "
                     "links between its switches, and what that costs is not part of these "
                     "figures: most where a job's nodes are spread, or where the switches are "
                     "oversubscribed."));
  };
  CHECK(alone() == 0);
  CHECK(std::ranges::count(answer_sentences(study.results), ordered_json(whole)) == 1);
  list[1]["jobs_share_links"] = true;
  CHECK(alone() == 1);
}

TEST_CASE("offers: regardless of cost names nobody who does as much", "[report]") {
  auto study = priced_basket(3000, 0);
  ordered_json& list = study.results["offers"]["list"];
  const auto says = [&](double jobs) {
    list[1]["jobs_per_hour"] = jobs;
    for (const auto& sentence : answer_sentences(study.results))
      if (sentence.get<std::string>().starts_with("Regardless of cost, A")) return true;
    return false;
  };
  CHECK_FALSE(says(401));
  CHECK(says(403));
}

TEST_CASE("offers: with prices the money decides, and a whole machine is named with its nodes",
          "[report]") {
  auto study = priced_basket(1500, 0.01);
  CHECK(study.sentence(0) ==
        "B does most work for the money: 400 jobs per hour of the whole machine of 4 nodes for "
        "1\u202f000 EUR, 1.50 times as many for the same money as on A, the next (over seeds: 1.40 "
        "to "
        "1.60). A job runs 1.63 times as fast on it as on the baseline (A), in the weighted "
        "geometric mean over the applications.");
  CHECK(answer_sentences(study.results).back() ==
        "Regardless of cost, A does the most work, 800 jobs per "
        "hour of the whole machine of 8 nodes, compared with 400 jobs per hour of the whole "
        "machine of 4 nodes.");
}

}  // namespace reprise::sim
