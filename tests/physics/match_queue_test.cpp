// SPDX-License-Identifier: MIT
// Matching queues against the rule itself: the first of all that matches, whatever their number.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/engine/point_to_point/matching.hpp"

namespace {

using reprise::sim::Context;
using reprise::sim::kAnyPeer;
using reprise::sim::kAnyTagValue;
using reprise::sim::kNothing;
using reprise::sim::MatchEntry;
using reprise::sim::MatchQueue;
using reprise::sim::Pattern;

// The same queue as MPI describes it: a list, searched from its beginning.
struct PlainQueue {
  std::vector<MatchEntry> entries;

  template <class Matches>
  std::uint32_t take(Matches matches) {
    const auto found = std::find_if(entries.begin(), entries.end(), matches);
    if (found == entries.end()) return kNothing;
    const std::uint32_t id = found->id;
    entries.erase(found);
    return id;
  }
};

std::int32_t draw(std::mt19937& random, int below) {
  return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
}

}  // namespace

TEST_CASE("matching queue: posted receives, plain and wild, are taken in their order",
          "[physics]") {
  std::mt19937 random(7);
  for (const int most : {3, 30, 400}) {  // few, around where hashing begins, many
    MatchQueue queue;
    PlainQueue plain;
    std::uint32_t next = 0;
    for (int step = 0; step < 20'000; ++step) {
      const Context context{static_cast<std::uint32_t>(draw(random, 2))};
      const std::int32_t peer = draw(random, most), tag = draw(random, 3);
      const bool is_filling = (step / (2 * most)) % 2 == 0;
      if (draw(random, 4) < (is_filling ? 3 : 1)) {
        const int kind = draw(random, 40);
        const MatchEntry entry{context, kind == 0 || kind == 2 ? kAnyPeer : peer,
                               kind == 1 || kind == 2 ? kAnyTagValue : tag, next++};
        queue.append(entry);
        plain.entries.push_back(entry);
      } else if (draw(random, 20) == 0 && !plain.entries.empty()) {  // a receive is cancelled
        const MatchEntry entry = plain.entries[static_cast<std::size_t>(
            draw(random, static_cast<int>(plain.entries.size())))];
        queue.remove(entry);
        plain.take([&](const MatchEntry& one) { return one.id == entry.id; });
      } else {
        const std::uint32_t expected = plain.take(
            [&](const MatchEntry& one) { return one.pattern().covers(context, peer, tag); });
        const std::uint32_t glanced = queue.glance_for_message(context, peer, tag);
        REQUIRE((glanced == expected || glanced == kNothing));
        REQUIRE(queue.take_for_message(context, peer, tag) == expected);
      }
    }
    CHECK(next > 5000);
  }
}

TEST_CASE("matching queue: a plain or wild pattern finds and takes the first of the messages",
          "[physics]") {
  std::mt19937 random(11);
  for (const int most : {3, 30, 400}) {
    MatchQueue queue;
    PlainQueue plain;
    std::vector<std::uint32_t> found;
    std::uint32_t next = 0;
    for (int step = 0; step < 20'000; ++step) {
      const Context context{static_cast<std::uint32_t>(draw(random, 2))};
      const std::int32_t peer = draw(random, most), tag = draw(random, 3);
      const bool is_filling = (step / (2 * most)) % 2 == 0;
      if (draw(random, 4) < (is_filling ? 3 : 1)) {
        const MatchEntry entry{context, peer, tag, next++};
        queue.append(entry);
        plain.entries.push_back(entry);
        continue;
      }
      const int kind = draw(random, 12);
      const Pattern pattern{context, kind == 0 || kind == 2 ? kAnyPeer : peer,
                            kind == 1 || kind == 2 ? kAnyTagValue : tag};
      std::vector<std::uint32_t> expected;
      for (const MatchEntry& one : plain.entries)
        if (pattern.covers(one)) expected.push_back(one.id);
      queue.find_messages(pattern, found);
      REQUIRE(found == expected);
      const std::uint32_t first = expected.empty() ? kNothing : expected.front();
      REQUIRE(queue.find_message(pattern) == first);
      if (draw(random, 8) == 0) REQUIRE(queue.find_hashed(pattern) == first);
      REQUIRE(queue.take_message(pattern) == first);
      plain.take([&](const MatchEntry& one) { return one.id == first; });
    }
    CHECK(next > 5000);
  }
}

TEST_CASE("matching queue: equal receives are taken in their order, also behind a gap",
          "[physics]") {
  MatchQueue queue;
  for (std::uint32_t id = 0; id < 100; ++id) queue.append({Context{0}, 5, 1, id});
  CHECK(queue.take_for_message(Context{0}, 6, 1) ==
        kNothing);  // so many in vain: hashed from here on
  queue.remove({Context{0}, 5, 1, 1});
  queue.remove({Context{0}, 5, 1, 99});
  queue.remove({Context{0}, 5, 1, 1});
  CHECK(queue.take_for_message(Context{0}, 5, 1) == 0);
  CHECK(queue.take_for_message(Context{0}, 5, 1) == 2);
  for (std::uint32_t id = 3; id < 99; ++id) CHECK(queue.take_for_message(Context{0}, 5, 1) == id);
  CHECK(queue.take_for_message(Context{0}, 5, 1) == kNothing);
  queue.append({Context{0}, 5, 1, 100});
  CHECK(queue.take_for_message(Context{0}, 5, 1) == 100);
}
