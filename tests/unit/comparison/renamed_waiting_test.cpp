// SPDX-License-Identifier: MIT
// When two wait states are said to be one waiting under two names, by answers made for it.
#include "sim/comparison/renamed_waiting.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/comparison/comparison.hpp"

namespace reprise::sim {
namespace {

struct Wait {
  int rank;
  const char* state;
  double seconds;
};

nlohmann::ordered_json answer(const std::vector<Wait>& waits) {
  auto by_rank = nlohmann::ordered_json::array();
  for (const Wait& one : waits)
    by_rank.push_back({{"rank", one.rank}, {"state", one.state}, {"seconds", one.seconds}});
  return {{"trace", "t"},
          {"platform", "p"},
          {"predicted_time_s", 1.0},
          {"wait_states", {{"by_site", by_rank}, {"by_rank", by_rank}}}};
}

bool is_renamed(const std::vector<Wait>& before, const std::vector<Wait>& after) {
  const bool there = renamed_waiting(answer(before), answer(after)).has_value();
  CHECK(renamed_waiting(answer(after), answer(before)).has_value() == there);
  return there;
}

const std::vector<Wait> kRendezvous = {{0, "late receiver", 0.20},
                                       {1, "late receiver", 0.13},
                                       {0, "wait at N×N", 0.50},
                                       {2, "wait at N×N", 0.50}};

}  // namespace

TEST_CASE("late receiver and late sender that change places are one waiting") {
  const std::vector<Wait> eager = {{0, "late sender", 0.18},
                                   {1, "late sender, wrong order", 0.11},
                                   {0, "wait at N×N", 0.53},
                                   {2, "wait at N×N", 0.50}};
  const auto comparison = compare(answer(kRendezvous), answer(eager));
  CHECK(comparison.notes ==
        std::vector<std::string>{
            "late receiver and late sender are the same waiting under two names here: -0.330000 s "
            "and +0.290000 s, mostly on the same ranks (an eager limit decides which); their sum "
            "changes "
            "by -0.040000 s"});
  CHECK(to_json(comparison)["notes"] == comparison.notes);
  CHECK(text_of(comparison).ends_with("\nnote: " + comparison.notes.front() + "\n"));
  CHECK(is_renamed(kRendezvous, eager));
}

TEST_CASE("waiting that goes away, or comes, has no other name") {
  CHECK_FALSE(is_renamed(kRendezvous, kRendezvous));
  CHECK_FALSE(is_renamed(kRendezvous, {}));
  CHECK_FALSE(is_renamed(kRendezvous, {{0, "late receiver", 0.10}, {1, "late sender", 0.05}}));
  // both grow
  CHECK_FALSE(is_renamed({{0, "late receiver", 0.1}, {0, "late sender", 0.1}},
                         {{0, "late receiver", 0.3}, {0, "late sender", 0.3}}));
  // less than half of it comes back
  CHECK_FALSE(is_renamed({{0, "late receiver", 0.30}}, {{0, "late sender", 0.14}}));
  CHECK(is_renamed({{0, "late receiver", 0.30}}, {{0, "late sender", 0.16}}));
}

TEST_CASE("a change of names is the largest change, matters, and stays on its ranks") {
  CHECK_FALSE(is_renamed({{0, "late receiver", 0.3}, {2, "wait at N×N", 0.1}},
                         {{0, "late sender", 0.3}, {2, "wait at N×N", 0.5}}));
  CHECK_FALSE(is_renamed({{0, "late receiver", 0.3}, {2, "wait at N×N", 50}},
                         {{0, "late sender", 0.3}, {2, "wait at N×N", 50}}));
  CHECK_FALSE(is_renamed({{0, "late receiver", 0.3}}, {{1, "late sender", 0.3}}));
  CHECK(is_renamed({{0, "late receiver", 0.3}, {1, "late receiver", 0.1}},
                   {{0, "late sender", 0.3}, {2, "late sender", 0.1}}));
}

TEST_CASE("answers without wait states by rank have no such note") {
  const nlohmann::ordered_json bare = {{"predicted_time_s", 1.0}};
  CHECK_FALSE(renamed_waiting(bare, answer(kRendezvous)).has_value());
  CHECK(to_json(compare(bare, bare)).contains("notes") == false);
}

}  // namespace reprise::sim
