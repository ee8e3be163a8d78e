// SPDX-License-Identifier: MIT
// How much of a call was first touches of memory, with numbers of pages that the tests make up.
#include "recorder/capture/first_touches.hpp"

#include <catch2/catch.hpp>

using namespace reprise;
using namespace reprise::recorder;

namespace {

constexpr Nanoseconds kPage{500};
constexpr std::uint64_t kLongTime = 100'000;  // readings are nanoseconds here

FirstTouches watched() {
  FirstTouches touches;
  touches.watch(kPage, kLongTime);
  return touches;
}

}  // namespace

TEST_CASE("pages that a call touches first take their time of it") {
  FirstTouches touches = watched();
  touches.look(1'000'000, 70);
  CHECK(touches.in_call(1'000'000, 2'000'000, Nanoseconds{1'000'000}, 70 + 1000) ==
        Nanoseconds{500'000});
  CHECK(touches.time() == Nanoseconds{500'000});
  // The next call, whose pages are there, has none.
  CHECK(touches.in_call(2'100'000, 3'000'000, Nanoseconds{900'000}, 70 + 1000) == Nanoseconds{});
  CHECK(touches.time() == Nanoseconds{500'000});
}

TEST_CASE("first touches take at most nine tenths of a call") {
  FirstTouches touches = watched();
  touches.look(0, 0);
  CHECK(touches.in_call(0, 200'000, Nanoseconds{200'000}, 1000) == Nanoseconds{180'000});
}

TEST_CASE("a few pages are no matter") {
  FirstTouches touches = watched();
  touches.look(0, 0);
  CHECK(touches.in_call(0, 200'000, Nanoseconds{200'000}, FirstTouches::kFew - 1) == Nanoseconds{});
  CHECK(touches.in_call(200'000, 400'000, Nanoseconds{200'000}, 2 * FirstTouches::kFew - 1) ==
        Nanoseconds{FirstTouches::kFew * kPage.value});
}

TEST_CASE("pages that may be of the computing before a call are not moved") {
  FirstTouches touches = watched();
  touches.look(0, 0);
  // Nobody has looked for a quarter of the call, and for a moment more.
  CHECK(touches.in_call(50'000, 250'000, Nanoseconds{200'000}, 100) == Nanoseconds{50'000});
  CHECK(touches.in_call(301'000, 501'000, Nanoseconds{200'000}, 200) == Nanoseconds{});
}

TEST_CASE("nothing is long to who does not watch") {
  const FirstTouches touches;
  CHECK_FALSE(touches.is_long(~std::uint64_t{0} - 1));
  CHECK(watched().is_long(kLongTime));
  CHECK_FALSE(watched().is_long(kLongTime - 1));
}

TEST_CASE("a first touch takes some time, and less than a long call") {
  const Nanoseconds page = FirstTouches::page_takes();
  CHECK(page > Nanoseconds{});
  CHECK(page < FirstTouches::kLong);
}
