// SPDX-License-Identifier: MIT
// What each axis does to a basket: whole sentences.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/report/made_study.hpp"

namespace reprise::sim {
namespace {

// A basket of two applications on machines and placements. The time of an offer is its score: offers are ordered by it, and differ from the best of
// their line by a given factor up and down.
struct MadeBasket {
  MadeStudy study;
  std::vector<std::string> machines, placements;
  double doubt = 1.02;
  std::vector<double> nodes;  // by placement

  MadeBasket(std::vector<std::string> its_machines, std::vector<std::string> its_placements)
      : machines(std::move(its_machines)), placements(std::move(its_placements)) {
    study.axis("application", {"small", "large"});
    study.axis("machine", machines);
    study.results["study"]["axes"][1]["platforms"] = machines;
    study.axis("placement", placements);
    study.results["study"]["applications"] = {{{"label", "small"}}, {{"label", "large"}}};
  }

  // SCORES: by machine, then placement; 0: misses an application.
  std::vector<std::string> sentences(const std::vector<std::vector<double>>& scores,
                                     const char* by = "work") {
    struct Offer {
      std::size_t machine, placement;
      double score;
    };
    std::vector<Offer> offers;
    for (std::size_t m = 0; m < machines.size(); ++m)
      for (std::size_t p = 0; p < placements.size(); ++p)
        if (scores[m][p] > 0) offers.push_back({m, p, scores[m][p]});
    std::ranges::stable_sort(offers, {}, &Offer::score);
    const auto compared = [&](double score, double best) {
      return certain(score / best, score / best / doubt, score / best * doubt, 0.1);
    };
    auto list = ordered_json::array();
    for (const Offer& one : offers) {
      ordered_json offer = {
          {"labels",
           {{"machine", machines[one.machine]}, {"placement", placements[one.placement]}}},
          {"missing", ordered_json::array()},
          {"applications", ordered_json::array()},
          {"speedup", 1}};
      for (const char* label : {"small", "large"}) {
        offer["applications"].push_back({{"label", label}, {"ranks", 4}, {"time_s", one.score}});
        if (!nodes.empty()) offer["applications"].back()["nodes"] = nodes[one.placement];
        study.point({label, machines[one.machine], placements[one.placement]}, one.score);
      }
      if (&one != &offers.front())
        offer["against_best"] = compared(one.score, offers.front().score);
      const auto along = [&](const char* axis, auto is_on_line) {
        const Offer& best = *std::ranges::find_if(offers, is_on_line);
        if (&best != &one) offer["against_best_along"][axis] = compared(one.score, best.score);
      };
      along("machine", [&](const Offer& other) { return other.placement == one.placement; });
      along("placement", [&](const Offer& other) { return other.machine == one.machine; });
      list.push_back(std::move(offer));
    }
    study.results["offers"] = {{"by", by}, {"currency", "EUR"}, {"list", std::move(list)}};
    std::vector<std::string> sentences;
    for (const auto& one : answer_sentences(study.results)) sentences.push_back(one);
    return sentences;
  }
};

}  // namespace

TEST_CASE("offer axes: the best value, the next, and where the axis makes no difference",
          "[report]") {
  MadeBasket basket({"A", "B"}, {"block", "cyclic"});
  const auto said = basket.sentences({{2, 2.01}, {1, 1.25}});
  REQUIRE(said.size() >= 3);
  CHECK(said[1] ==
        "Best machine for all applications together: B, 2.00 times as fast as A (over seeds: 1.96 "
        "to 2.04) with placement block and 1.61 times as fast as A (over seeds: 1.58 to 1.64) with "
        "placement cyclic.");
  CHECK(said[2] ==
        "Best placement for all applications together: block, 1.25 times as fast as cyclic (over "
        "seeds: 1.23 to 1.27) on B; open: cyclic takes an estimated 1.005 times as long as block "
        "(over "
        "seeds: 0.985 to 1.03) on A.");
}

TEST_CASE("offer axes: a value that takes more nodes says so", "[report]") {
  MadeBasket basket({"A", "B"}, {"8 nodes", "4 nodes"});
  basket.nodes = {8, 4};
  const auto said = basket.sentences({{2, 2.2}, {1, 1.2}});
  CHECK(said[2] ==
        "Best placement for all applications together: 8 nodes, 1.10 times as fast as 4 nodes "
        "(over seeds: 1.08 to 1.12) (on twice the nodes) on A and 1.20 times as fast as 4 nodes "
        "(over seeds: 1.18 to 1.22) (on twice the nodes) on B.");
  CHECK(MadeBasket({"A", "B"}, {"8", "4"}).sentences({{2, 2.2}, {1, 1.2}})[2].find("nodes)") ==
        std::string::npos);
}

TEST_CASE("offer axes: an axis within the uncertainty everywhere", "[report]") {
  MadeBasket basket({"A", "B"}, {"block", "cyclic"});
  const auto said = basket.sentences({{2, 2.03}, {1, 1.01}});
  CHECK(said[2] ==
        "Whether the placement makes a difference to all applications together is open: at most, "
        "cyclic takes an estimated 1.01 times as long as block (over seeds: 0.995 to 1.04) on A.");
  MadeBasket sure({"A", "B"}, {"block", "cyclic"});
  sure.doubt = 1.002;
  CHECK(sure.sentences({{2, 2.002}, {1, 1.004}})[2] ==
        "The placement makes no difference to all applications together, within 0.5\u202f%.");
}

TEST_CASE("offer axes: equal values are named together, and the next of several", "[report]") {
  MadeBasket basket({"A", "B", "C"}, {"block", "cyclic"});
  basket.doubt = 1;
  CHECK(basket.sentences({{3, 3}, {1, 1}, {1.002, 1.2}})[1] ==
        "Best machine for all applications together: B and C, which count as equal, 3.00 times as "
        "fast as A with placement block; B, 1.20 times as fast as C, the next, with placement "
        "cyclic.");
}

TEST_CASE("offer axes: a gain that is the same everywhere stands once", "[report]") {
  MadeBasket basket({"A", "B"}, {"block", "cyclic"});
  const auto said = basket.sentences({{2, 3}, {1, 1.5}});
  CHECK(said[1] ==
        "Best machine for all applications together: B, 2.00 times as fast as A (over seeds: 1.96 "
        "to 2.04).");
  CHECK(said[2] ==
        "Best placement for all applications together: block, 1.50 times as fast as cyclic (over "
        "seeds: 1.47 to 1.53).");
}

TEST_CASE("offer axes: of many combinations how often each value is the best", "[report]") {
  const std::vector<std::string> placements = {"p1", "p2", "p3", "p4", "p5"};
  MadeBasket mixed({"A", "B"}, placements);
  mixed.doubt = 1;
  CHECK(mixed.sentences({{2, 2, 2, 2, 3}, {1, 1.25, 1.6, 2, 4}})[1] ==
        "Best machine for all applications together: B in 3 of 5 combinations of the other axes, "
        "2.00 times as fast as A with placement p1, 1.60 times as fast as A with placement p2 and "
        "1.25 times as fast as A with placement p3; A, 1.33 times as fast as B with placement p5; "
        "no difference with placement p4, within 0.5\u202f%.");
  MadeBasket clear({"A", "B"}, placements);
  clear.doubt = 1;
  CHECK(clear.sentences({{2, 2, 2, 2, 2}, {1, 1.25, 1.6, 1.1, 1.2}})[1] ==
        "Best machine for all applications together: B, from 1.25 times as fast as A with "
        "placement p3 to 2.00 times as fast as A with placement p1.");
}

TEST_CASE("offer axes: with prices it is the work for the money", "[report]") {
  MadeBasket basket({"A", "B"}, {"block", "cyclic"});
  CHECK(basket.sentences({{2, 3}, {1, 1.5}}, "work for the money")[1] ==
        "Best machine for all applications together: B, 2.00 times as much work for the money as A "
        "(over seeds: 1.96 to 2.04).");
}

TEST_CASE("offer axes: a combination without a result compares nothing", "[report]") {
  MadeBasket basket({"A", "B"}, {"block", "cyclic"});
  const auto said = basket.sentences({{2, 0}, {1, 1.5}});
  CHECK(said[1] ==
        "Best machine for all applications together: B, 2.00 times as fast as A (over seeds: 1.96 "
        "to 2.04) with placement block.");
  CHECK(said[2] ==
        "Best placement for all applications together: block, 1.50 times as fast as cyclic (over "
        "seeds: 1.47 to 1.53) on B.");
}

TEST_CASE("offer axes: nothing is said where all offers are alike, or where none are compared",
          "[report]") {
  const auto has_best = [](const std::vector<std::string>& sentences) {
    return std::ranges::any_of(sentences,
                               [](const std::string& one) { return one.starts_with("Best "); });
  };
  MadeBasket alike({"A", "B"}, {"block", "cyclic"});
  alike.doubt = 1.001;
  const auto said = alike.sentences({{1, 1.001}, {1.002, 1.003}});
  CHECK(said[0].starts_with("Nothing that was varied makes a difference"));
  CHECK(said.size() == 1);
  MadeBasket earlier({"A", "B"}, {"block", "cyclic"});
  CHECK(has_best(earlier.sentences({{2, 3}, {1, 1.5}})));
  for (auto& offer : earlier.study.results["offers"]["list"]) offer.erase("against_best_along");
  for (const auto& sentence : answer_sentences(earlier.study.results))
    CHECK_FALSE(sentence.get<std::string>().starts_with("Best "));
}

}  // namespace reprise::sim
