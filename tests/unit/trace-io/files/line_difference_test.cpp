// SPDX-License-Identifier: MIT
#include "trace-io/text/line_difference.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace reprise::trace_io {
namespace {

using Lines = std::vector<std::string>;
using Kind = LineEdit::Kind;

Lines letters(const std::string& text) {
  Lines lines;
  for (const char c : text) lines.emplace_back(1, c);
  return lines;
}

// The script carried out on both lists: what it keeps and takes out is the first, what it keeps and puts in the second.
void check_script(const Lines& first, const Lines& second, const std::vector<LineEdit>& script) {
  Lines from, to;
  std::size_t next_of_second = 0;
  for (const auto& edit : script) {
    if (edit.kind == Kind::only_second) {
      REQUIRE(edit.line == next_of_second++);
      to.push_back(second[edit.line]);
      continue;
    }
    REQUIRE(edit.line == from.size());
    from.push_back(first[edit.line]);
    if (edit.kind == Kind::same) {
      to.push_back(first[edit.line]);
      REQUIRE(second[next_of_second++] == first[edit.line]);
    }
  }
  CHECK(from == first);
  CHECK(to == second);
}

std::size_t edits(const std::vector<LineEdit>& script) {
  std::size_t n = 0;
  for (const auto& edit : script) n += edit.kind == Kind::same ? 0 : 1;
  return n;
}

// The textbook's quadratic recurrence for the length of the longest common subsequence.
std::size_t fewest_edits(const Lines& a, const Lines& b) {
  std::vector<std::vector<std::size_t>> common(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      common[i][j] = a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1
                                          : std::max(common[i - 1][j], common[i][j - 1]);
  return a.size() + b.size() - 2 * common[a.size()][b.size()];
}

}  // namespace

TEST_CASE("line difference: Myers' own example takes five edits", "[trace-io]") {
  const auto first = letters("abcabba"), second = letters("cbabac");
  const auto script = line_difference(first, second, 10);
  REQUIRE(script);
  check_script(first, second, *script);
  CHECK(edits(*script) == 5);
}

TEST_CASE("line difference: no more edits than allowed", "[trace-io]") {
  const auto first = letters("abcabba"), second = letters("cbabac");
  CHECK_FALSE(line_difference(first, second, 4));
  CHECK(line_difference(first, second, 5));
}

TEST_CASE("line difference: empty lists", "[trace-io]") {
  CHECK(line_difference({}, {}, 0)->empty());
  CHECK(edits(*line_difference({}, letters("ab"), 2)) == 2);
  CHECK(edits(*line_difference(letters("abc"), {}, 3)) == 3);
}

TEST_CASE("line difference: scripts of random lists are right and the shortest", "[trace-io]") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const auto draw = [&] {
      Lines lines(random() % 20);
      for (auto& line : lines) line = std::string(1, static_cast<char>('a' + random() % 3));
      return lines;
    };
    const auto first = draw(), second = draw();
    const auto script = line_difference(first, second, 40);
    REQUIRE(script);
    check_script(first, second, *script);
    CHECK(edits(*script) == fewest_edits(first, second));
  }
}

}  // namespace reprise::trace_io
