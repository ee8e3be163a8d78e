// SPDX-License-Identifier: MIT
// Messages of a timeline matched to their receives, whichever comes first.
#include <catch2/catch.hpp>
#include <vector>

#include "sim/export/timeline/prv_messages.hpp"

using namespace reprise::sim;

TEST_CASE("prv_messages: a channel's sends and receives meet in their order", "[timeline]") {
  MessageMatches matches;
  std::vector<std::pair<std::uint64_t, std::int64_t>>
      met;  // place of the send, when it was received
  const auto note = [&](const auto& send, const auto& receive) {
    met.emplace_back(send.place, receive.completed);
  };
  const MessageMatches::Channel here{0, 1, 2, 7}, other_tag{0, 1, 2, 8};
  matches.send(here, {10, 0, 1, 8}, note);
  matches.send(here, {11, 2, 3, 8}, note);
  matches.receive(other_tag, {4, 5}, note);
  CHECK(met.empty());
  matches.receive(here, {6, 7}, note);
  matches.receive(here, {6, 8}, note);
  matches.send(other_tag, {12, 9, 9, 8}, note);
  CHECK(met == std::vector<std::pair<std::uint64_t, std::int64_t>>{{10, 7}, {11, 8}, {12, 5}});
}
