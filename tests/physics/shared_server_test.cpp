// SPDX-License-Identifier: MIT
#include "sim/engine/files/shared_server.hpp"

#include <limits>

#include "sim/engine/one_sided/window_locks.hpp"
#include "tests/physics/near.hpp"

namespace reprise::sim {

using Ids = std::vector<std::uint32_t>;

TEST_CASE("shared server: jobs end in the order and at the times of processor sharing",
          "[physics]") {
  SharedServer server(10, std::numeric_limits<double>::infinity());
  CHECK(server.next_end() == std::numeric_limits<double>::infinity());
  server.join(0, 100, 1);  // alone until 5
  server.join(5, 100, 2);  // then both at 5 per second
  CHECK(server.next_end() == test::near(15));
  server.join(10, 10, 3);  // a third each, from 10 on; it ends first
  CHECK(server.next_end() == test::near(13));
  Ids ended;
  server.take_ended(12.9, ended);
  CHECK(ended.empty());
  server.take_ended(server.next_end(), ended);
  CHECK(ended == Ids{3});
  // Job 1 has 100 − 50 − 25 − 10 left, job 2 100 − 25 − 10.
  CHECK(server.next_end() == test::near(13 + 2 * 15 / 10.0));
  server.take_ended(server.next_end(), ended);
  server.take_ended(server.next_end(), ended);
  CHECK(ended == Ids{3, 1, 2});
  CHECK(server.next_end() == std::numeric_limits<double>::infinity());
}

TEST_CASE("shared server: many equal jobs end together, in the order of their arrival",
          "[physics]") {
  SharedServer server(1e9, 1e9);
  for (std::uint32_t i = 0; i < 1000; ++i) server.join(0.1, 12345, i);
  Ids ended;
  server.take_ended(server.next_end(), ended);
  REQUIRE(ended.size() == 1000);
  CHECK(ended.front() == 0);
  CHECK(ended.back() == 999);
}

TEST_CASE("window locks: an exclusive claim waits for the shared ones, later shared ones for it",
          "[physics]") {
  WindowLocks locks;
  Ids granted;
  locks.claim({0, 5, false}, granted);
  locks.claim({1, 5, false}, granted);
  locks.claim({2, 5, true}, granted);
  locks.claim({3, 5, false}, granted);
  locks.claim({4, 6, true}, granted);  // another member's
  CHECK(granted == Ids{0, 1, 4});
  locks.release(5, false, granted);
  CHECK(granted.size() == 3);
  locks.release(5, false, granted);
  CHECK(granted == Ids{0, 1, 4, 2});
  locks.release(5, true, granted);
  CHECK(granted == Ids{0, 1, 4, 2, 3});
}

TEST_CASE("window locks: those of all and exclusive ones take turns in the order of their claims",
          "[physics]") {
  WindowLocks locks;
  Ids granted;
  locks.claim({0, WindowLocks::kAll, false}, granted);
  locks.claim({1, 3, true}, granted);
  locks.claim({2, WindowLocks::kAll, false}, granted);  // came after the exclusive claim
  locks.claim({3, 3, false}, granted);                  // likewise
  CHECK(granted == Ids{0});
  locks.release(WindowLocks::kAll, false, granted);
  CHECK(granted == Ids{0, 1});
  locks.claim({4, 7, true}, granted);  // another member's, but behind the claim of all
  CHECK(granted == Ids{0, 1});
  locks.release(3, true, granted);
  CHECK(granted == Ids{0, 1, 3, 2});
  locks.release(WindowLocks::kAll, false, granted);
  CHECK(granted == Ids{0, 1, 3, 2, 4});
}

}  // namespace reprise::sim
