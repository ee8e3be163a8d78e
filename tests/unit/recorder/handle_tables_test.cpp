// SPDX-License-Identifier: MIT
#include "recorder/capture/handle_tables.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "recorder/capture/communicators.hpp"

using namespace reprise::recorder;

TEST_CASE("handles of either kind are keys, and keys are handles again") {
  int object = 0;
  REQUIRE(handle_of<int*>(key_of(&object)) == &object);
  REQUIRE(handle_of<int>(key_of(0x44000000)) == 0x44000000);
  REQUIRE(handle_of<int>(key_of(-5)) == -5);
  REQUIRE(key_of(-5) == 0xfffffffbu);
}

TEST_CASE("a handle map agrees with std::map through insertions, overwriting and erasing") {
  std::mt19937_64 random(7);
  HandleMap map;
  std::map<HandleKey, std::uint32_t> expected;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const HandleKey key = (random() % 700) * 64;  // as addresses of objects are
    if (random() % 3 == 0) {
      map.erase(key);
      expected.erase(key);
    } else {
      map.set(key, step);
      expected[key] = step;
    }
    const HandleKey asked = (random() % 700) * 64;
    const auto found = expected.find(asked);
    REQUIRE(map.find(asked) == (found == expected.end() ? HandleMap::kAbsent : found->second));
  }
  for (const auto& [key, value] : expected) REQUIRE(map.find(key) == value);
}

TEST_CASE("the smallest free slot is given out, beyond a word of them too") {
  FreeSlots slots;
  for (std::uint32_t i = 0; i < 130; ++i) REQUIRE(slots.take() == i);
  slots.release(128);
  slots.release(3);
  slots.release(64);
  REQUIRE(slots.take() == 3);
  REQUIRE(slots.take() == 64);
  REQUIRE(slots.take() == 128);
  REQUIRE(slots.take() == 130);
}

namespace {

const void* this_thread() {
  static const int thread = 0;
  return &thread;
}

Request request_at(HandleKey handle, const void* where) {
  Request request;
  request.handle = handle;
  request.where = where;
  return request;
}

}  // namespace

TEST_CASE("a request keeps its slot until it is removed, and the slot is used again") {
  RequestTable table;
  int places[3];
  REQUIRE(table.add(request_at(10, &places[0])) == 0);
  REQUIRE(table.add(request_at(20, &places[1])) == 1);
  table.begin_claims();
  REQUIRE(table.claim(20, &places[1]) == 1);
  REQUIRE(table.claim(30, &places[2]) == RequestTable::kUnknown);
  table.remove(0);
  table.begin_claims();
  REQUIRE(table.claim(10, &places[0]) == RequestTable::kUnknown);
  REQUIRE(table.add(request_at(30, &places[2])) == 0);
  table.rename(0, 40);
  table.begin_claims();
  REQUIRE(table.claim(30, &places[2]) == RequestTable::kUnknown);
  REQUIRE(table.claim(40, &places[2]) == 0);
}

TEST_CASE("requests with one handle are told apart by where the program keeps them") {
  RequestTable table;
  int places[4];
  for (int i = 0; i < 3; ++i) table.add(request_at(7, &places[i]));
  table.begin_claims();
  REQUIRE(table.claim(7, &places[1]) == 1);
  REQUIRE(table.claim(7, &places[3]) == 0);  // kept elsewhere meanwhile: the oldest left
  REQUIRE(table.claim(7, &places[1]) == 2);  // 1 is claimed by this call already
  REQUIRE(table.claim(7, &places[1]) == RequestTable::kUnknown);
  table.begin_claims();
  REQUIRE(table.claim(7, &places[0]) == 0);
  table.remove(0);  // the first of the chain
  table.remove(2);  // the last
  table.begin_claims();
  REQUIRE(table.claim(7, &places[0]) == 1);
  table.remove(1);
  table.begin_claims();
  REQUIRE(table.claim(7, &places[1]) == RequestTable::kUnknown);
}

TEST_CASE("a send that nothing waits for has no number and changes none") {
  RequestTable table;
  const int me = 0;
  Request unawaited = request_at(50, nullptr);
  unawaited.is_awaited = false;
  const std::uint32_t first = table.add(request_at(10, nullptr), &me);
  const std::uint32_t none = table.add(unawaited, &me);
  REQUIRE(table.number(none, &me) == -1);
  REQUIRE(table.number(first, &me) == -2);
  table.remove(none);
  table.end_call();
  REQUIRE(table.number(first, &me) == -2);
}

TEST_CASE(
    "a request that keeps its number has it until it is closed, whatever becomes of its handle") {
  RequestTable table;
  const int me = 0;
  const std::uint32_t kept = table.add(request_at(10, nullptr), &me);
  table.keep_number(kept);
  table.begin_claims();
  REQUIRE(table.claim(10, nullptr) == RequestTable::kUnknown);
  const std::uint32_t later = table.add(request_at(10, nullptr), &me);
  REQUIRE(later != kept);
  REQUIRE(table.number(later, &me) == -2);
  REQUIRE(table.number(kept, &me) == -3);
  table.close(kept);
  table.end_call();
  REQUIRE(table.number(later, &me) == -2);
  REQUIRE(table.add(request_at(20, nullptr), &me) == kept);
}

TEST_CASE("a request is called by its age, a persistent one by its slot") {
  RequestTable table;
  const int me = 0, other = 0;
  Request persistent = request_at(50, nullptr);
  persistent.persistent = true;
  REQUIRE(table.add(request_at(10, nullptr), &me) == 0);
  REQUIRE(table.add(persistent, &me) == 1);
  REQUIRE(table.add(request_at(20, nullptr), &me) == 2);
  REQUIRE(table.number(2, &me) == -2);
  REQUIRE(table.number(0, &me) == -3);
  REQUIRE(table.number(1, &me) == 1);
  table.remove(2);
  REQUIRE(table.number(0, &me) == -3);  // until the call is over
  table.end_call();
  REQUIRE(table.number(0, &me) == -2);
  REQUIRE(table.number(0, &other) == -1);
  REQUIRE(table.number(0, &me) == -1);  // it stays in nobody's trace
  table.remove(0);
  table.end_call();
  table.count_by_slot();
  REQUIRE(table.number(table.add(request_at(30, nullptr), &me), &me) == 0);
}

TEST_CASE("what is never completed changes no age, and is not looked through again") {
  RequestTable table;
  int leaked = 0, kept[2];
  constexpr HandleKey kShared = 7;  // of all that complete at once
  for (int step = 0; step < 200'000; ++step) {
    const std::uint32_t first = table.add(request_at(kShared, &kept[0]), this_thread());
    table.add(request_at(kShared, &leaked), this_thread());
    const std::uint32_t second = table.add(request_at(kShared, &kept[1]), this_thread());
    table.begin_claims();
    REQUIRE(table.claim(kShared, &kept[0]) == first);
    REQUIRE(table.claim(kShared, &kept[1]) == second);
    REQUIRE(table.number(first, this_thread()) == -4);
    REQUIRE(table.number(second, this_thread()) == -2);
    table.remove(first);
    table.remove(second);
    table.end_call();
  }
}

TEST_CASE("any number of requests with one handle: each is found as a search of all finds it") {
  struct Kept {
    std::uint32_t slot;
    const void* where;
  };
  std::mt19937 random(11);
  RequestTable table;
  std::vector<int> places(900);
  std::map<HandleKey, std::vector<Kept>> kept;  // oldest first
  for (int call = 0; call < 600; ++call) {
    const HandleKey handle = 7 + random() % 3;
    auto& alike = kept[handle];
    for (auto more = random() % 160; more > 0; --more) {
      const void* where = &places[random() % (call % 2 == 0 ? places.size() : 3)];
      alike.push_back({table.add(request_at(handle, where)), where});
    }
    table.begin_claims();
    std::vector<std::uint32_t> claimed;
    for (auto asked = random() % 200; asked > 0; --asked) {
      const void* where = &places[random() % places.size()];
      const auto is_left = [&](const Kept& one) {
        return std::find(claimed.begin(), claimed.end(), one.slot) == claimed.end();
      };
      // The newest that is kept there, else the oldest of all.
      const auto newest = std::find_if(alike.rbegin(), alike.rend(), [&](const Kept& one) {
        return one.where == where && is_left(one);
      });
      const auto expected = newest != alike.rend()
                                ? std::prev(newest.base())
                                : std::find_if(alike.begin(), alike.end(), is_left);
      const std::uint32_t found = table.claim(handle, where);
      REQUIRE(found == (expected == alike.end() ? RequestTable::kUnknown : expected->slot));
      if (found != RequestTable::kUnknown) claimed.push_back(found);
    }
    for (const std::uint32_t slot : claimed) {
      table.remove(slot);
      std::erase_if(alike, [slot](const Kept& one) { return one.slot == slot; });
    }
    if (alike.empty() || random() % 8 != 0) continue;
    const Kept renamed = alike[random() % alike.size()];
    std::erase_if(alike, [&](const Kept& one) { return one.slot == renamed.slot; });
    table.rename(renamed.slot, 10);
    kept[10].push_back(renamed);
  }
}

TEST_CASE(
    "windows take the smallest slot, and a handle that is used anew replaces the old window") {
  ObjectTable windows;
  const CommunicatorInfo world;
  REQUIRE(windows.add(5, world).slot == 0);
  REQUIRE(windows.add(6, world).slot == 1);
  REQUIRE(windows.find(5)->slot == 0);
  REQUIRE(windows.add(5, world).slot == 0);  // freed where nobody saw it
  const std::uint32_t leaving = windows.detach(5);
  REQUIRE(windows.find(5) == nullptr);
  REQUIRE(windows.find(6)->slot == 1);
  REQUIRE(windows.find(6)->comm == &world);
  REQUIRE(windows.add(5, world).slot == 2);  // another thread's, before the free is over
  windows.freed(leaving);
  REQUIRE(windows.find(5)->slot == 2);
  REQUIRE(windows.add(8, world).slot == 0);
  windows.attach(9, windows.detach(8));
  REQUIRE(windows.find(9)->slot == 0);
}

TEST_CASE("type sizes are remembered until another type takes their place") {
  TypeSizes sizes;
  REQUIRE(sizes.find(0) == TypeSizes::kUnknown);
  REQUIRE(sizes.find(64) == TypeSizes::kUnknown);
  for (HandleKey type = 1; type < 500; ++type) {
    sizes.remember(type, static_cast<std::int64_t>(type) * 8);
    REQUIRE(sizes.find(type) == static_cast<std::int64_t>(type) * 8);
  }
  for (HandleKey type = 1; type < 500; ++type)
    REQUIRE((sizes.find(type) == TypeSizes::kUnknown ||
             sizes.find(type) == static_cast<std::int64_t>(type) * 8));
}
