// SPDX-License-Identifier: MIT
// What a crowd does between two fillings: levels that are passed on, and links that have too much for a while.
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/network/approximate_shares.hpp"
#include "tests/physics/near.hpp"

namespace reprise::test {
namespace {

constexpr double kPart = 1e-3, kWide = 1e9;
constexpr double kOwn = std::numeric_limits<double>::infinity();  // no bound
constexpr std::uint32_t kLinkPairs = 40;

using Ways = std::vector<std::uint32_t>;

// Few classes are many: levels are passed on, and links may be slack.
sim::ApproximateShares pairs_of_links(double second) {
  return {kPart, [second](std::uint32_t link) { return link % 2 == 0 ? kWide : second; }, 0};
}

// Of flow n of a second link: in pair 3 one ends first, which is when all is filled, and a little later some in pair 7.
double bytes(std::uint32_t pair, std::uint32_t n, std::uint32_t of_seventh) {
  if (pair == 3 && n == 0) return 0.999e8;
  return pair == 7 && n < of_seventh ? 1e8 : 1e12;
}

// Until the flow of pair 3 has ended. Returns when that is.
double fill_first(sim::ApproximateShares& shares) {
  shares.settle(0);
  const double now = shares.next_end();
  shares.take(now);
  shares.settle(now);
  return now;
}

// Ends all flows that end now.
std::size_t take_all(sim::ApproximateShares& shares, double now) {
  std::size_t taken = 0;
  for (; shares.flows() > 0 && shares.next_end() <= now; ++taken) shares.take(now);
  return taken;
}

// Ten narrow links with three flows each, of which one crosses a wide link, too, and one ends at the time t, just after flows on ten
// other links: the wide link, which had room, then has 3 % too much. Returns t.
constexpr double kNarrow = 0.206 * kWide;
double fill_little_too_much(sim::ApproximateShares& shares) {
  for (std::uint32_t link = 1; link <= 10; ++link) {
    shares.enter(3 * link, Ways{0, link}, kOwn, 1e12, 0);
    shares.enter(3 * link + 1, Ways{link}, kOwn, 1e12, 0);
    shares.enter(3 * link + 2, Ways{link}, kOwn, 1e8, 0);
    shares.enter(100 + link, Ways{10 + link}, kOwn, 3 * 0.999999 * 1e8, 0);
  }
  shares.settle(0);
  CHECK(shares.classes() == 20);  // the wide link makes none
  double now = shares.next_end();
  REQUIRE(take_all(shares, now) == 10);
  shares.settle(now);
  now = shares.next_end();
  REQUIRE(now == near(1e8 / (kNarrow / 3)));
  REQUIRE(take_all(shares, now) == 10);
  shares.settle(now);
  CHECK(shares.rate(Ways{0, 1}, kOwn) == near(kNarrow / 2));
  return now;
}

sim::ApproximateShares one_wide_link() {
  return {kPart, [](std::uint32_t link) { return link == 0 ? kWide : kNarrow; }, 0};
}

}  // namespace

// System: 40 pairs of links. 10 flows cross both links of a pair, 6 the second one alone, 4 the first one. Five flows of the second link of one pair end.
// Expectation: the first link then gives all of its 14 flows the same, less than the second could. At the next due time that is so, and
// nothing has been filled again; after a tenth of the crowd's age all is filled, and rates are the same.
TEST_CASE("passed on levels: a class moves to the link that offers it the least", "[physics]") {
  auto shares = pairs_of_links(kWide);
  std::uint32_t flow = 0;
  for (std::uint32_t pair = 0; pair < kLinkPairs; ++pair) {
    const Ways both{2 * pair, 2 * pair + 1}, first{2 * pair}, second{2 * pair + 1};
    for (std::uint32_t n = 0; n < 10; ++n) shares.enter(flow++, both, kOwn, 1e12, 0);
    for (std::uint32_t n = 0; n < 6; ++n) shares.enter(flow++, second, kOwn, bytes(pair, n, 5), 0);
    for (std::uint32_t n = 0; n < 4; ++n) shares.enter(flow++, first, kOwn, 1e12, 0);
  }
  const double filled_at = fill_first(shares);
  const Ways both{14, 15}, first{14}, second{15};
  REQUIRE(shares.rate(both, kOwn) == near(kWide / 16));
  REQUIRE(shares.rate(first, kOwn) == near((kWide - 10 * kWide / 16) / 4));
  const auto fillings = shares.fillings();
  const double now = shares.next_end();
  REQUIRE(take_all(shares, now) == 5);
  shares.settle(now);
  CHECK(shares.rate(second, kOwn) == near(kWide / 11));  // its own level, at once
  double due = shares.next_due();
  REQUIRE(due == near(filled_at * (1 + 5 * kPart)));
  shares.settle(due);
  CHECK(shares.fillings() == fillings);
  CHECK(shares.rate(both, kOwn) == near(kWide / 14));
  CHECK(shares.rate(first, kOwn) == near(kWide / 14));
  while (shares.fillings() == fillings) {
    due = shares.next_due();
    REQUIRE(due <= 1.1 * filled_at * (1 + 1e-9));
    shares.settle(due);
  }
  CHECK(shares.rate(both, kOwn) == near(kWide / 14));
  CHECK(shares.rate(first, kOwn) == near(kWide / 14));
  CHECK(shares.rate(second, kOwn) == near(kWide - 10 * kWide / 14));
  CHECK(shares.next_due() == kOwn);
}

// System: as above, but the second link of each pair has a third of the first one's capacity, and one flow of it ends.
// Expectation: what the second link's flows get more, the first one's others get less.
TEST_CASE("passed on levels: the other links of the flows know the new level", "[physics]") {
  constexpr double kSecond = kWide / 3;
  auto shares = pairs_of_links(kSecond);
  std::uint32_t flow = 0;
  for (std::uint32_t pair = 0; pair < kLinkPairs; ++pair) {
    for (std::uint32_t n = 0; n < 10; ++n)
      shares.enter(flow++, Ways{2 * pair, 2 * pair + 1}, kOwn, 1e12, 0);
    for (std::uint32_t n = 0; n < 6; ++n)
      shares.enter(flow++, Ways{2 * pair + 1}, kOwn, bytes(pair, n, 1), 0);
    for (std::uint32_t n = 0; n < 4; ++n) shares.enter(flow++, Ways{2 * pair}, kOwn, 1e12, 0);
  }
  fill_first(shares);
  const auto fillings = shares.fillings();
  const double now = shares.next_end();
  REQUIRE(take_all(shares, now) == 1);
  shares.settle(now);
  shares.settle(shares.next_due());
  CHECK(shares.fillings() == fillings);
  CHECK(shares.rate(Ways{14, 15}, kOwn) == near(kSecond / 15));
  CHECK(shares.rate(Ways{14}, kOwn) == near((kWide - 10 * kSecond / 15) / 4));
}

// System: a wide link that has 3 % too much, as above.
// Expectation: it may have that until it has carried too much for half a tolerance of t; from then on rates are the exact ones.
TEST_CASE("slack links: one that has little too much has so for a short time", "[physics]") {
  auto shares = one_wide_link();
  const double now = fill_little_too_much(shares);
  const double over = 10 * kNarrow / 2 / kWide - 1;
  REQUIRE(shares.next_due() == Approx(now + 0.5 * kPart * now / over).epsilon(1e-5));
  shares.settle(shares.next_due());
  CHECK(shares.rate(Ways{0, 1}, kOwn) == near(kWide / 10));
  CHECK(shares.rate(Ways{1}, kOwn) == near(kNarrow - kWide / 10));
  CHECK(shares.next_due() == kOwn);
}

// System: while it has too much a flow of another weight begins elsewhere, for which all links count.
// Expectation: rates are the exact ones at once, and no filling is due.
TEST_CASE("slack links: none is waited for when all links count again", "[physics]") {
  auto shares = one_wide_link();
  const double now = fill_little_too_much(shares);
  shares.enter(200, Ways{30}, kOwn, 1e12, now, 2);
  shares.settle(now);
  CHECK(shares.rate(Ways{0, 1}, kOwn) == near(kWide / 10));
  CHECK(shares.rate(Ways{1}, kOwn) == near(kNarrow - kWide / 10));
  CHECK(shares.next_due() == kOwn);
}

}  // namespace reprise::test
