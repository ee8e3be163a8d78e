// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {
namespace {

std::string refusal(const std::vector<RankList::Term>& terms, std::int32_t ranks) {
  try {
    RankList::from_terms(terms, ranks, "run.reprise at byte 100");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("rank_list: members outside the trace are refused", "[model]") {
  const std::string expected =
      "run.reprise at byte 100: rank 8 is not one of the 8 ranks of the trace";
  CHECK(refusal({{Rank{8}, {}}}, 8) == expected);
  CHECK(refusal({{Rank{0}, {{9, 1}}}}, 8) == expected);
  CHECK(refusal({{Rank{0}, {{2, 1}, {2, 4}, {2, 3}}}}, 8) == expected);
  CHECK(refusal({{Rank{-1}, {}}}, 8) ==
        "run.reprise at byte 100: rank -1 is not one of the 8 ranks of the trace");
  CHECK(refusal({{Rank{7}, {}}}, 8).empty());
}

TEST_CASE("rank_list: numbers that would overflow are refused before they do", "[model]") {
  CHECK(refusal({{Rank{2147483647}, {{4294967295U, 2147483647}}}}, 2147483647) ==
        "run.reprise at byte 100: rank 2147483647 is not one of the 2147483647 ranks of the trace");
  CHECK(refusal({{Rank{0}, {{4294967295U, 2147483647}}}}, 4) ==
        "run.reprise at byte 100: rank 9223372028264841218 is not one of the 4 ranks of the trace");
}

TEST_CASE("rank_list: a dimension of one member or without a stride is refused", "[model]") {
  const std::string hint = "\n  counts are at least 2 and strides at least 1";
  CHECK(refusal({{Rank{0}, {{1, 1}}}}, 8) ==
        "run.reprise at byte 100: a rank list has a dimension of count 1 and stride 1" + hint);
  CHECK(refusal({{Rank{0}, {{2, 0}}}}, 8) ==
        "run.reprise at byte 100: a rank list has a dimension of count 2 and stride 0" + hint);
  CHECK(refusal({{Rank{0}, {{2, -1}}}}, 8) ==
        "run.reprise at byte 100: a rank list has a dimension of count 2 and stride -1" + hint);
}

TEST_CASE("rank_list: a member listed twice is refused", "[model]") {
  const std::string expected = "run.reprise at byte 100: rank 3 appears twice in one rank list";
  CHECK(refusal({{Rank{0}, {{4, 1}}}, {Rank{3}, {}}}, 8) == expected);
  CHECK(refusal({{Rank{0}, {{2, 3}, {2, 3}}}}, 8) == expected);
}

TEST_CASE("rank_list: more members than ranks are refused before they are written out", "[model]") {
  const std::string expected =
      "run.reprise at byte 100: a rank list has more members than the trace has ranks (8)";
  CHECK(refusal({{Rank{0}, {{2, 1}, {2, 1}, {2, 1}, {2, 1}}}}, 8) == expected);
  CHECK(refusal({{Rank{0}, {{8, 1}}}, {Rank{0}, {{8, 1}}}}, 8) == expected);
}

TEST_CASE("rank_list: terms in any order and shape are made canonical", "[model]") {
  const std::vector<RankList::Term> terms = {
      {Rank{4}, {{2, 1}}}, {Rank{0}, {}}, {Rank{1}, {{3, 1}}}};
  CHECK(RankList::from_terms(terms, 8, "x") == RankList::all(6));
  CHECK(RankList::from_terms({}, 8, "x").empty());
}

}  // namespace reprise::trace_io
