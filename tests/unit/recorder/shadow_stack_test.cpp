// SPDX-License-Identifier: MIT
// The functions that a thread is in, where some leave without saying so: longjmp, inlined functions, tail calls, other stacks.
#include "recorder/calls/shadow_stack.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

using namespace reprise::recorder;

namespace {

// What comes into the stream: letters as they are entered, '.' for a leave.
class Stream {
 public:
  Stream& enter(char name, std::uintptr_t position, std::uintptr_t site = 0,
                std::uintptr_t at = 1) {
    stack_.enter({position, site, at, static_cast<std::uint16_t>(name)}, [&] { text_ += '.'; });
    text_ += name;
    return *this;
  }
  Stream& leave(char name, std::uintptr_t position, std::uintptr_t site = 0,
                std::uintptr_t at = 1) {
    stack_.leave({position, site, at, static_cast<std::uint16_t>(name)}, [&] { text_ += '.'; });
    return *this;
  }
  const std::string& text() const { return text_; }
  const ShadowStack& stack() const { return stack_; }

 private:
  std::array<Entered, 6> room_{};
  ShadowStack stack_{room_, {100, 1000}};
  std::string text_;
};

}  // namespace

TEST_CASE("functions that leave as they should are left as they say") {
  Stream s;
  s.enter('m', 900).enter('a', 800).enter('b', 700).leave('b', 700).leave('a', 800).leave('m', 900);
  CHECK(s.text() == "mab...");
  CHECK(s.stack().corrected() == 0);
  CHECK(s.stack().depth() == 0);
}

TEST_CASE("functions that longjmp left are gone when the next one is entered or left") {
  Stream entered, left;
  entered.enter('m', 900).enter('a', 800).enter('b', 700).enter('c', 850);
  CHECK(entered.text() == "mab..c");
  left.enter('m', 900).enter('a', 800).enter('a', 700).enter('a', 600).leave('a', 800);
  CHECK(left.text() == "maaa...");
  CHECK(left.stack().corrected() == 2);
  CHECK(left.stack().depth() == 1);
}

TEST_CASE(
    "the same call once more, or one from elsewhere in the same frame, ends the one that was "
    "left") {
  Stream again, elsewhere;
  again.enter('m', 900).enter('a', 800, 5, 6).enter('a', 800, 5, 6);
  CHECK(again.text() == "ma.a");
  elsewhere.enter('m', 900).enter('a', 800, 5, 6).enter('b', 800, 7, 8);
  CHECK(elsewhere.text() == "ma.b");
}

TEST_CASE("an inlined function is inside the one whose frame it shares") {
  Stream s;
  s.enter('m', 900)
      .enter('a', 800, 5, 6)
      .enter('i', 800, 5, 7)
      .leave('i', 800, 5, 8)
      .leave('a', 800, 5, 9);
  CHECK(s.text() == "mai..");
  CHECK(s.stack().corrected() == 0);
}

TEST_CASE("a leave by a tail call is of the function whose frame is gone, in recursion too") {
  Stream s;
  s.enter('r', 800, 1, 2).enter('r', 700, 3, 2).enter('r', 600, 3, 2);
  s.leave('r', 700, 3, 3).leave('r', 800, 3, 3);  // positions of their callers' hooks
  CHECK(s.text() == "rrr..");
  CHECK(s.stack().depth() == 1);
  CHECK(s.stack().corrected() == 0);
}

TEST_CASE(
    "a handler on a stack of its own corrects nothing, and is gone once the thread's own is back") {
  Stream s;
  s.enter('m', 900).enter('a', 800).enter('h', 5000).enter('i', 4900).leave('i', 4900).leave('h',
                                                                                             5000);
  CHECK(s.text() == "mahi..");
  s.enter('h', 5000).leave('a', 800);  // the handler was left by siglongjmp
  CHECK(s.text() == "mahi..h..");
  CHECK(s.stack().depth() == 1);
}

TEST_CASE("a leave of what was never entered is no event") {
  Stream s;
  s.leave('x', 900).enter('m', 900).leave('y', 900);
  CHECK(s.text() == "m");
  CHECK(s.stack().unmatched() == 2);
}

TEST_CASE("functions deeper than the room are in the stream all the same") {
  Stream s;
  for (std::uintptr_t depth = 0; depth < 9; ++depth) s.enter('d', 900 - 10 * depth);
  for (std::uintptr_t depth = 9; depth-- > 0;) s.leave('d', 900 - 10 * depth);
  CHECK(s.text() == "ddddddddd.........");
  CHECK(s.stack().depth() == 0);
}
