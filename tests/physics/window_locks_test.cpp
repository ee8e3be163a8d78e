// SPDX-License-Identifier: MIT
// The locks of a window against the rules as MPI states them, on random claims and releases.
#include "sim/engine/one_sided/window_locks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

namespace reprise::test {
namespace {

using sim::WindowLocks;
using Claim = WindowLocks::Claim;

bool is_of_all(const Claim& claim) { return claim.member == WindowLocks::kAll; }

// The rules of window_locks.hpp read out one by one; cost: everything for every claim.
class StatedLocks {
 public:
  std::vector<std::uint32_t> claim(const Claim& claim) {
    waiting_.push_back(claim);
    return grants();
  }
  std::vector<std::uint32_t> release(const Claim& claim) {
    held_.erase(std::find_if(held_.begin(), held_.end(),
                             [&](const Claim& one) { return one.id == claim.id; }));
    return grants();
  }
  const std::vector<Claim>& held() const { return held_; }

 private:
  static bool excludes(const Claim& a, const Claim& b) {
    if (!a.exclusive && !b.exclusive) return false;
    return is_of_all(a) || is_of_all(b) || a.member == b.member;
  }
  // Whether `later` has to wait because `earlier` waits.
  static bool holds_up(const Claim& earlier, const Claim& later) {
    return (!is_of_all(earlier) && earlier.member == later.member) || excludes(earlier, later) ||
           (is_of_all(earlier) && is_of_all(later));
  }
  std::vector<std::uint32_t> grants() {
    std::vector<std::uint32_t> granted;
    for (std::size_t i = 0; i < waiting_.size();) {
      const Claim claim = waiting_[i];
      const bool must_wait =
          std::any_of(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const Claim& one) { return holds_up(one, claim); }) ||
          std::any_of(held_.begin(), held_.end(),
                      [&](const Claim& one) { return excludes(one, claim); });
      if (must_wait) {
        ++i;
        continue;
      }
      held_.push_back(claim);
      granted.push_back(claim.id);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      i = 0;
    }
    std::sort(granted.begin(), granted.end());
    return granted;
  }

  std::vector<Claim> waiting_, held_;
};

}  // namespace

TEST_CASE("window locks: random claims are granted as the rules say", "[physics]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    StatedLocks stated;
    WindowLocks locks;
    for (std::uint32_t id = 0; id < 120; ++id) {
      std::vector<std::uint32_t> granted, expected;
      if (stated.held().empty() || below(2) == 0) {
        Claim claim{id, static_cast<std::int32_t>(below(4)) - 1, false};
        claim.exclusive = !is_of_all(claim) && below(2) == 0;
        locks.claim(claim, granted);
        expected = stated.claim(claim);
      } else {
        const Claim claim = stated.held()[below(static_cast<std::uint32_t>(stated.held().size()))];
        locks.release(claim.member, claim.exclusive, granted);
        expected = stated.release(claim);
      }
      std::sort(granted.begin(), granted.end());
      CAPTURE(seed, id);
      REQUIRE(granted == expected);
    }
  }
}

}  // namespace reprise::test
