// SPDX-License-Identifier: MIT
// What the answer says in words, study by study: whole sentences.
#include <catch2/catch.hpp>

#include "tests/report/made_study.hpp"

namespace reprise::sim {
TEST_CASE("sentences: a winner, and how sure it is", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B", "C"});
  study.point({"A"}, 2)["against_fastest"] = certain(2, 1.9, 2.1, 0);
  study.point({"B"}, 1)["probability_fastest"] = 0.97;
  study.point({"C"}, 1.1)["against_fastest"] = certain(1.1, 1.02, 1.18, 0.02);
  CHECK(study.sentence(0) ==
        "Fastest is B: the run takes 1.000\u202fs, 2.00 times as fast as the baseline (A).");
  CHECK(
      study.sentence(1) ==
      "How sure, over seeds alone: B takes less time than C with a probability of 98\u202f% (over "
      "seeds: 1.02 to 1.18); it is the fastest of all with a probability of 97\u202f%.");
  CHECK(study.sentence(2) == "The run with B is limited by computing (100\u202f% of the time).");
}

TEST_CASE("sentences: the first one says how many nodes are used", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.point({"A"}, 2)["nodes_used"] = 16;
  study.point({"B"}, 1)["nodes_used"] = 1;
  CHECK(study.sentence(0) ==
        "Fastest is B: the run takes 1.000\u202fs on 1 node, 2.00 times as fast as the baseline "
        "(A).");
}

TEST_CASE("sentences: what limits the mean of several recordings, and what limits others alone",
          "[report]") {
  const auto efficiencies = [](double balance, double serialisation, double transfer) {
    return ordered_json{{"parallel", balance * serialisation * transfer},
                        {"load_balance", balance},
                        {"serialisation", serialisation},
                        {"transfer", transfer}};
  };
  MadeStudy study;
  auto& point = study.point({}, 1);
  point["predicted_time_s"]["seeds"] = 4;
  point["predicted_time_s"]["recordings"] = 4;
  point["efficiencies"] = efficiencies(0.7, 0.8, 0.95);
  CHECK(study.sentence(1) ==
        "It is limited by uneven work between ranks (load balance 70\u202f%), in the mean of 4 "
        "recordings.");
  for (const double balance : {0.6, 0.9, 0.6, 0.9}) {
    point["by_recording"].push_back({{"recording", point["by_recording"].size() + 1},
                                     {"efficiencies", efficiencies(balance, 0.8, 0.95)}});
  }
  CHECK(study.sentence(1) ==
        "It is limited by uneven work between ranks (load balance 70\u202f%), in the mean of 4 "
        "recordings; recordings 2 and 4 alone by ranks waiting for one another.");
}

TEST_CASE("sentences: what limits is named alike with and without efficiencies", "[report]") {
  struct Case {
    double compute, communicate, wait, balance;
    const char* limit;
  };
  // Run time 1 s. Uneven work: the busiest rank computes 0.6 / 0.7 of it. Waiting of even ranks. Data: 0.5 of the time.
  for (const Case& one :
       {Case{0.6, 0.05, 0.35, 0.7, "uneven work between ranks (load balance 70\u202f%)"},
        Case{0.6, 0.05, 0.35, 0.98, "ranks waiting for one another (35\u202f% of the time)"},
        Case{0.4, 0.5, 0.1, 0.9, "moving data (50\u202f% of the time)"},
        Case{0.8, 0.15, 0.05, 0.98,
             "computing (80\u202f% of the time), then moving data (15\u202f% of the time)"},
        Case{0.95, 0.04, 0.01, 0.99, "computing (95\u202f% of the time)"}}) {
    MadeStudy study;
    auto& point = study.point({}, 1);
    point["compute_s"] = one.compute;
    point["communication_s"] = one.communicate;
    point["wait_s"] = one.wait;
    point["load_balance"] = one.balance;
    CHECK(study.sentence(1) == std::string("It is limited by ") + one.limit + ".");
    const double ideal = 1 - one.communicate;  // an ideal network's run leaves out communication
    point["efficiencies"] = {{"parallel", one.compute},
                             {"load_balance", one.balance},
                             {"serialisation", one.compute / one.balance / ideal},
                             {"transfer", ideal}};
    const std::string cause = one.limit;
    CHECK(study.sentence(1).starts_with("It is limited by " + cause.substr(0, cause.find(" ("))));
  }
}

// Ranks that end before the run: of their own time they compute more than of the run's.
TEST_CASE("sentences: the share of computing is the one of the table", "[report]") {
  MadeStudy study;
  auto& point = study.point({}, 1);
  point["compute_s"] = 0.915;
  point["communication_s"] = 0.05;
  point["wait_s"] = 0.01;
  point["load_balance"] = 0.95;
  point["efficiencies"] = {
      {"parallel", 0.905}, {"load_balance", 0.95}, {"serialisation", 1}, {"transfer", 0.95}};
  CHECK(study.sentence(1) == "It is limited by computing (94\u202f% of the time).");
}

TEST_CASE("sentences: a factor that makes no difference beside one that does", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"}).axis("placement", {"block", "cyclic"});
  study.point({"A", "block"}, 1.01)["against_fastest"] = certain(1.01, 0.97, 1.05, 0.3);
  study.point({"A", "cyclic"}, 1.4)["against_fastest"] = certain(1.4, 1.3, 1.5, 0);
  study.point({"B", "block"}, 1)["probability_fastest"] = 0.7;
  study.point({"B", "cyclic"}, 1.3)["against_fastest"] = certain(1.3, 1.2, 1.4, 0);
  CHECK(
      study.sentence(0) ==
      "B, block takes the least time, 1.000\u202fs, but A, block cannot be told from it: it takes "
      "an estimated 1.01 times as long (over seeds: 0.970 to 1.05) and is slower with a "
      "probability of 70\u202f%. Whether the machine makes a difference with placement block is "
      "open; the placement makes one: block is 1.30 times as fast as cyclic (over seeds: 1.20 to "
      "1.40) with machine B.");
  CHECK(study.sentence(1) ==
        "What would tell A, block from B, block: several recordings of the program.");
  CHECK(
      study.sentence(2) ==
      "How sure, over seeds alone: B, block and A, block cannot be told apart; B, block takes less "
      "time than B, cyclic, the next that differs, with a probability of more than 99.9\u202f%; "
      "one of the two is the fastest of all with a probability of 70\u202f%.");
}

TEST_CASE("sentences: points of equal times have no winner, in no place of the page", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"}).axis("bandwidth", {"1x", "2x"});
  for (const char* bandwidth : {"1x", "2x"}) {
    study.point({"A", bandwidth}, 1.2)["against_fastest"] = certain(1.2, 1.19, 1.21, 0);
    auto& point = study.point({"B", bandwidth}, 1);
    point["probability_fastest"] = 0.5;
    point["effects"]["machine"] = certain(1 / 1.2, 0.83, 0.84, 1);
    if (bandwidth == std::string("2x")) {
      point["against_fastest"] = certain(1, 1, 1, 0.5);
      point["effects"]["bandwidth"] = certain(1, 1, 1, 0.5);
    }
  }
  CHECK(study.sentence(0) ==
        "B, bandwidth 1x and B, bandwidth 2x are the fastest and count as equal, 1.000\u202fs, "
        "within 0.5\u202f%, 1.20 times as fast as the baseline (A, bandwidth 1x): the bandwidth "
        "makes no difference with machine B; the machine does: B is 1.20 times as fast as A (over "
        "seeds: 1.19 to 1.21) with bandwidth 1x.");
  const auto page = study_page(study.results);
  CHECK(page.find("<span class=\"badge\">fastest</span>") == std::string::npos);
  std::size_t badges = 0;
  for (auto at = page.find("tied for fastest"); at != std::string::npos;
       at = page.find("tied for fastest", at + 1))
    ++badges;
  CHECK(badges == 2);
  // each of the two has the chance of the tie
  const auto fastest = fastest_points(study.results);
  REQUIRE(fastest.size() == 2);
  CHECK((fastest[0].number == 1 && fastest[0].is_tied));
  CHECK((fastest[1].number == 3 && fastest[1].is_tied));
  CHECK(page.find("data-value=\"0.5\" style") == std::string::npos);
}

TEST_CASE("sentences: each axis says what it brings on each machine", "[report]") {
  MadeStudy study;
  study.axis("machine", {"10 GbE", "HDR"}).axis("bandwidth", {"1x", "0.5x", "2x"});
  auto& axes = study.results["study"]["axes"];
  axes[0]["platforms"] = {"ethernet-10g", "infiniband-hdr"};
  axes[1]["factors"] = {1.0, 0.5, 2.0};
  study.point({"10 GbE", "1x"}, 2);
  study.point({"10 GbE", "0.5x"}, 2.4)["effects"]["bandwidth"] = certain(1.2, 1.19, 1.21, 0);
  study.point({"10 GbE", "2x"}, 1.866)["effects"]["bandwidth"] = certain(0.933, 0.932, 0.934, 1);
  study.point({"HDR", "1x"}, 1)["effects"]["machine"] = certain(0.5, 0.49, 0.51, 1);
  study.point({"HDR", "0.5x"}, 1.01)["effects"] = {{"machine", certain(0.42, 0.41, 0.43, 1)},
                                                   {"bandwidth", certain(1.01, 0.99, 1.03, 0.3)}};
  study.point({"HDR", "2x"}, 0.9955)["effects"] = {{"machine", certain(0.53, 0.52, 0.54, 1)},
                                                   {"bandwidth", certain(0.9955, 0.995, 0.996, 1)}};
  CHECK(study.sentence(1) ==
        "HDR instead of 10 GbE saves 50\u202f% with bandwidth 1x, 58\u202f% with bandwidth "
        "0.5x and 47\u202f% with bandwidth 2x.");
  CHECK(study.sentence(2) ==
        "Half the bandwidth costs 20\u202f% on 10 GbE and an uncertain 1.0\u202f% (over seeds: "
        "−1.0\u202f% to +3.0\u202f%) on HDR; twice "
        "the bandwidth saves 6.7\u202f% on 10 GbE and 0.4\u202f% on HDR.");
  // An interval counts as its verb does: up to 1.0 % may be lost, up to 3.0 % saved.
  study.results["points"][4]["effects"]["bandwidth"] = certain(0.99, 0.97, 1.01, 0.7);
  CHECK(study.sentence(2).starts_with(
      "Half the bandwidth costs 20\u202f% on 10 GbE and saves an uncertain 1.0\u202f% (over seeds: "
      "−1.0\u202f% to +3.0\u202f%) on HDR;"));
}

TEST_CASE("sentences: all that is left out stands behind the first sentence", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.results["certainty"]["lacks"] = {"how much runs differ", "the fit error of A and B"};
  study.point({"A"}, 1);
  study.point({"B"}, 2)["against_fastest"] = certain(2, 1.9, 2.1, 0);
  CHECK(study.sentence(0) ==
        "Nothing is faster than the baseline, A: the run takes 1.000\u202fs. Next is B with "
        "2.000\u202fs. Not included: how much runs differ; the fit error of A and B.");
  CHECK(study_page(study.results)
            .find("<span class=\"lacks\">Not included: how much runs differ; the fit error of A "
                  "and B.</span></p>") != std::string::npos);
}

TEST_CASE("sentences: only several recordings make a statement about runs", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  for (const char* machine : {"A", "B"}) {
    auto& point = study.point({machine}, machine == std::string("A") ? 1 : 2);
    point["predicted_time_s"]["seeds"] = 4;
    point["predicted_time_s"]["recordings"] = 4;
    point["band"] = {{"low_s", 0.9}, {"high_s", 1.2}, {"shares", {{"compute_times", 1}}}};
  }
  study.results["points"][1]["against_fastest"] = certain(2, 1.9, 2.1, 0);
  study.results["study"]["trace"] = {{"program", "/bin/cg.S.x"}, {"ranks", 4}};
  study.results["study"]["traces"] = ordered_json::array();
  for (int i = 0; i < 4; ++i)
    study.results["study"]["traces"].push_back(study.results["study"]["trace"]);
  CHECK(study.sentence(1) ==
        "How sure, over recordings: A takes less time than B with a probability of more than "
        "99.9\u202f% (95\u202f%: "
        "1.90 to 2.10).");
  auto page = study_page(study.results);
  CHECK(page.find("of cg.S.x, 4 ranks, 4 recordings; predicted by replay") != std::string::npos);
  CHECK(page.find("the program was recorded 4 times, and the recordings were") !=
        std::string::npos);
  CHECK(page.find("95 % band</th>") != std::string::npos);
  study.results["study"].erase("traces");
  for (auto& point : study.results["points"]) point["predicted_time_s"].erase("recordings");
  page = study_page(study.results);
  CHECK(page.find("of cg.S.x, 4 ranks, one recording; predicted by replay") != std::string::npos);
  CHECK(page.find("the program was recorded once, and the recording was") != std::string::npos);
  CHECK(page.find("band over seeds</th>") != std::string::npos);
  CHECK(page.find("probability of 95") == std::string::npos);
}

TEST_CASE("sentences: more seeds are advised only where they narrow what is in doubt", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B", "C"});
  study.point({"A"}, 1)["band"] = {
      {"low_s", 0.9}, {"high_s", 1.1}, {"shares", {{"compute_times", 1}}}};
  auto& second = study.point({"B"}, 1.02);
  second["against_fastest"] = certain(1.02, 0.98, 1.06, 0.2);
  study.point({"C"}, 2)["against_fastest"] = certain(2, 1.9, 2.1, 0);
  CHECK(study.sentence(1) == "What would tell B from A: several recordings of the program.");
  study.results["certainty"]["more_seeds_narrow"] = true;
  CHECK(study.sentence(1) ==
        "What would tell B from A: more seeds, and several recordings of the program.");
  // too near to be worth a choice, however well it is known
  study.results["points"][1]["against_fastest"] = certain(1.002, 1.001, 1.003, 0.2);
  for (const auto& sentence : answer_sentences(study.results))
    CHECK_FALSE(sentence.get<std::string>().starts_with("What would tell"));
}

TEST_CASE("sentences: nothing makes a difference", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.point({"A"}, 1);
  study.point({"B"}, 1.002)["against_fastest"] = certain(1.002, 0.999, 1.005, 0.2);
  CHECK(study.sentence(0) ==
        "Nothing that was varied makes a difference: all 2 points take the same time, "
        "1.000 to 1.002\u202fs, within 0.5\u202f%.");
  study.results["remarks"] = {"no time changes along the axis \"machine\": no message is there"};
  CHECK(study.sentence(0).ends_with("within 0.5\u202f%: no message is there."));
  study.results["remarks"].push_back("no time changes along the axis \"other\": another reason");
  CHECK(study.sentence(0).ends_with("within 0.5\u202f%."));
}

TEST_CASE("sentences: a small effect that is sure is the same in every sentence", "[report]") {
  MadeStudy study;
  study.axis("latency", {"1x", "0.5x"}).axis("bandwidth", {"1x", "2x"});
  study.results["study"]["axes"][0]["factors"] = {1.0, 0.5};
  study.results["study"]["axes"][1]["factors"] = {1.0, 2.0};
  study.point({"1x", "1x"}, 1);
  study.point({"1x", "2x"}, 0.94)["effects"]["bandwidth"] = certain(0.94, 0.93, 0.95, 1);
  study.point({"0.5x", "1x"}, 0.999)["effects"]["latency"] = certain(0.999, 0.9987, 0.9993, 1);
  study.point({"0.5x", "2x"}, 0.939)["effects"] = {{"latency", certain(0.999, 0.9986, 0.9993, 1)},
                                                   {"bandwidth", certain(0.94, 0.93, 0.95, 1)}};
  CHECK(study.sentence(0).find("; latency alone saves 0.1\u202f%.") != std::string::npos);
  CHECK(study.sentence(1) == "Half the latency saves 0.1\u202f%.");
}

TEST_CASE("sentences: without seeds nobody can say how sure", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  study.results["certainty"]["lacks"] = {"how much compute times vary: there is one seed"};
  study.point({"A"}, 1);
  study.point({"B"}, 2)["against_fastest"] = {
      {"ratio", 2}, {"low", 2}, {"high", 2}, {"probability", nullptr}};
  CHECK(study.sentence(1) == "How sure: unknown, because nothing that varies was measured.");
}

TEST_CASE("sentences: one point has its band, and what is not in it", "[report]") {
  MadeStudy study;
  auto& point = study.point({}, 1);
  CHECK(study.sentence(0) == "The predicted run time is 1.000\u202fs.");
  point["band"] = {{"low_s", 0.9}, {"high_s", 1.2}, {"shares", {{"compute_times", 1}}}};
  point["predicted_time_s"] = {
      {"median", 1}, {"low", 0.95}, {"high", 1.1}, {"seeds", 5}, {"recordings", 5}};
  study.results["certainty"]["lacks"] = {"what other network models say"};
  CHECK(study.sentence(0) ==
        "The predicted run time is 1.000\u202fs (median; 0.9500 to 1.100\u202fs over 5 "
        "recordings). Not "
        "included: what "
        "other network models say.");
  CHECK(study.sentence(1) ==
        "How sure, over recordings: with a probability of 95\u202f% one run takes 0.9000 to "
        "1.200\u202fs.");
  point["predicted_time_s"].erase("recordings");
  CHECK(study.sentence(1) == "How sure, over seeds alone: the run takes 0.9000 to 1.200\u202fs.");
  point.erase("band");
  study.results["certainty"]["lacks"] = {"how much runs differ: there is one recording"};
  CHECK(study.sentence(1) == "How sure: unknown, because nothing that varies was measured.");
}

TEST_CASE("sentences: how far an axis of numbers is worth going", "[report]") {
  MadeStudy study;
  study.axis("bandwidth", {"1x", "2x", "4x", "8x"});
  const double times[] = {2, 1.2, 1.03, 1};
  const char* labels[] = {"1x", "2x", "4x", "8x"};
  for (int i = 0; i < 4; ++i) {
    auto& point = study.point({labels[i]}, times[i]);
    if (i > 0)
      point["effects"]["bandwidth"] = certain(times[i] / 2, times[i] / 2.1, times[i] / 1.9, 1);
    if (i < 3) point["against_fastest"] = certain(times[i], times[i] - 0.01, times[i] + 0.01, 0);
  }
  CHECK(study.sentence(0) ==
        "At bandwidth 8x the run is 2.00 times as fast (over seeds: 1.90 to 2.10) as the baseline "
        "(bandwidth 1x): 1.000\u202fs instead of 2.000\u202fs; from 4x on, less than 5\u202f% is "
        "left to gain (3.0\u202f%).");
}

TEST_CASE("sentences: what damage costs", "[report]") {
  MadeStudy study;
  study.axis("scenario", {"none", "slow link", "slow node"});
  study.point({"none"}, 1);
  study.point({"slow link"}, 1.001)["effects"]["scenario"] = certain(1.001, 0.99, 1.01, 0.4);
  study.point({"slow node"}, 1.5)["effects"]["scenario"] = certain(1.5, 1.4, 1.6, 0);
  CHECK(study.sentence(0) ==
        "Most is lost to slow node: the run takes 50\u202f% longer, 1.500\u202fs instead of "
        "1.000\u202fs (over seeds: 1.40 to 1.60); slow link costs an uncertain 0.1\u202f% (over "
        "seeds: −1.0\u202f% to +1.0\u202f%).");
  study.results["points"][1]["effects"]["scenario"] = certain(1.001, 0.999, 1.003, 0.4);
  CHECK(study.sentence(0).ends_with("; slow link costs nothing measurable."));
}

TEST_CASE("sentences: what would change the ranking", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  auto& first = study.point({"A"}, 1);
  first["calibration"] = {{"uncertainty", 0.1}, {"low_s", 1 / 1.1}, {"high_s", 1.1}};
  first["models"] = {{{"network", "flow"}, {"ratio", 1.0}}, {{"network", "queue"}, {"ratio", 1.5}}};
  auto& second = study.point({"B"}, 1.1);
  second["against_fastest"] = certain(1.1, 1.01, 1.2, 0.02);
  second["models"] = {{{"network", "flow"}, {"ratio", 1.0}},
                      {{"network", "queue"}, {"ratio", 1.0}}};
  // one step of calibration makes A's time 1.1 times as long, as B's is
  CHECK(study.sentence(4) ==
        "What would change the ranking: with the queue network B would be first; messages "
        "10\u202f% more expensive than calibrated would put B before it.");
}

TEST_CASE("sentences: names that hold marks stay names", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A\x02", "\x03<blink>"});
  study.point({"A\x02"}, 2);
  study.point({"\x03<blink>"}, 1);
  CHECK(study.sentence(0) ==
        "Fastest is <blink>: the run takes 1.000\u202fs, 2.00 times as fast as the baseline (A).");
  CHECK(study_page(study.results).find("<blink>") == std::string::npos);
}

}  // namespace reprise::sim
