// SPDX-License-Identifier: MIT
// Points that cannot be told apart: whole sentences.
#include <catch2/catch.hpp>
#include <utility>

#include "tests/report/made_study.hpp"

namespace reprise::sim {

TEST_CASE("sentences: what cannot be told apart is not called equal", "[report]") {
  MadeStudy study;
  study.axis("algorithm", {"doubling", "ring", "rabenseifner"});
  study.point({"doubling"}, 11.7)["against_fastest"] = certain(2.79, 1.2, 3.16, 0.007);
  study.point({"ring"}, 10.4)["against_fastest"] = certain(2.41, 0.671, 4.5, 0.08);
  study.point({"rabenseifner"}, 4.1)["probability_fastest"] = 0.92;
  CHECK(
      study.sentence(0) ==
      "rabenseifner takes the least time, 4.100\u202fs, 2.85 times as fast as the baseline "
      "(doubling), but ring cannot be told from it: it takes an estimated 2.41 times as long (over "
      "seeds: 0.671 to 4.50) and is slower with a probability of 92\u202f%.");
  CHECK(study.sentence(1) ==
        "What would tell ring from rabenseifner: several recordings of the program.");
  const auto page = study_page(study.results);
  CHECK(page.find("perhaps fastest") != std::string::npos);
  CHECK(page.find("tied for fastest") == std::string::npos);
  for (const auto& sentence : answer_sentences(study.results)) {
    CHECK(sentence.get<std::string>().find("equal") == std::string::npos);
    CHECK(sentence.get<std::string>().find("statistical") == std::string::npos);
  }
}

TEST_CASE("sentences: of many that cannot be told apart, the nearest and the farthest",
          "[report]") {
  MadeStudy study;
  study.axis("placement", {"a", "b", "c", "d", "e"});
  study.point({"a"}, 1);
  for (const auto& [label, ratio] : {std::pair{"b", 1.03}, {"c", 1.02}, {"d", 1.05}, {"e", 1.04}})
    study.point({label}, ratio)["against_fastest"] = certain(ratio, 0.99, 1.1, 0.2);
  CHECK(study.sentence(0) ==
        "a takes the least time, 1.000\u202fs, but none of the other 4 points can be told from it: "
        "from c, which takes an estimated 1.02 times as long (over seeds: 0.990 to 1.10) and is "
        "slower with a probability of 80\u202f%, to d, which takes an estimated 1.05 times as long "
        "(over seeds: 0.990 to 1.10) and is slower with a probability of 80\u202f%.");
  CHECK(study.sentence(1) ==
        "What would tell c, b, e and d from a: several recordings of the program.");
}

TEST_CASE("sentences: network models that disagree are named with what each says", "[report]") {
  MadeStudy study;
  study.axis("placement", {"block", "tile", "random"});
  const auto models = [](double queue) {
    return ordered_json{{{"network", "flow"}, {"ratio", 1.0}},
                        {{"network", "queue"}, {"ratio", queue}}};
  };
  auto& block = study.point({"block"}, 1.1);
  block["against_fastest"] = certain(1.1, 0.88, 1.12, 0.5);
  block["models"] = models(0.8);
  auto& tile = study.point({"tile"}, 1);
  tile["models"] = models(1);
  auto& random = study.point({"random"}, 1.2);
  random["against_fastest"] = certain(1.2, 0.98, 1.4, 0.06);
  random["models"] = models(1.1);
  CHECK(
      study.sentence(0) ==
      "tile takes the least time, 1.000\u202fs, but none of the other 2 points can be told from "
      "it: block takes an estimated 1.10 times as long (over seeds: 0.880 to 1.12) and is slower "
      "with a probability of 50\u202f%; random takes an estimated 1.20 times as long (over seeds: "
      "0.980 to 1.40) and is slower with a probability of 94\u202f%.");
  CHECK(study.sentence(1) ==
        "What would tell block and random from tile: several recordings of the program; but not "
        "where the network models disagree: block takes 1.10 times as long as tile with the flow "
        "network and 0.880 with the queue network.");
  random["models"] = models(0.7);
  CHECK(
      study.sentence(1) ==
      "What would tell block and random from tile: no further recording, since the network models "
      "disagree: block takes 1.10 times as long as tile with the flow network and 0.880 with the "
      "queue network.");
}

}  // namespace reprise::sim
