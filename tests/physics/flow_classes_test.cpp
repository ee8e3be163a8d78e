// SPDX-License-Identifier: MIT
// Classes of flows against a map of their links.
#include "sim/network/flow_classes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace reprise::test {
namespace {

using Links = std::vector<sim::FlowClasses::Link>;

Links links_of(const sim::FlowClasses& classes, sim::FlowClasses::Class one) {
  const auto links = classes.links(one);
  return {links.begin(), links.end()};
}

}  // namespace

// System: classes of 1 to 9 links out of 6 numbers, so that many are alike, come and go 20 000 times.
// Expectation: links that are known have the number that they got when they came, all others get one that nobody has; every class keeps
// its links, whoever comes or goes, and whoever else stands where a search for it begins.
TEST_CASE("flow classes: links are found again until their class is given back", "[physics]") {
  sim::FlowClasses classes;
  std::map<Links, sim::FlowClasses::Class> known;
  std::mt19937 random(3);
  std::size_t largest = 0;
  for (int step = 0; step < 20'000; ++step) {
    Links links;
    for (std::size_t n = 1 + random() % (step < 5000 ? 3 : 9); n > 0; --n)
      links.push_back(static_cast<sim::FlowClasses::Link>(random() % 6));
    const auto [one, is_new] = classes.find_or_add(links);
    const auto expected = known.find(links);
    REQUIRE(is_new == (expected == known.end()));
    if (is_new)
      known[links] = one;
    else
      REQUIRE(one == expected->second);
    if (!known.empty() && random() % 3 < (step < 12'000 ? 1U : 3U)) {
      const auto leaving =
          std::next(known.begin(), static_cast<std::ptrdiff_t>(random() % known.size()));
      classes.give_back(leaving->second);
      REQUIRE(classes.links(leaving->second).empty());
      known.erase(leaving);
    }
    largest = std::max(largest, known.size());
  }
  std::set<sim::FlowClasses::Class> numbers;
  for (const auto& [links, one] : known) {
    CHECK(links_of(classes, one) == links);
    numbers.insert(one);
  }
  CHECK(numbers.size() == known.size());
  CHECK(classes.size() <= largest + 1);  // numbers are used again
}

}  // namespace reprise::test
