// SPDX-License-Identifier: MIT
#include "recorder/finish/message_join.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "recorder/capture/message_sampler.hpp"
#include "recorder/finish/node_clocks.hpp"

using namespace reprise;
using namespace reprise::recorder;
using trace_io::MessageDistance;

namespace {

const std::vector<MessageDistance> kDistances = {
    MessageDistance::to_itself, MessageDistance::same_node, MessageDistance::other_node};

TimedSide side(std::uint64_t number, std::int64_t begin, std::int64_t end, std::int32_t peer = 1,
               std::uint64_t bytes = 1000) {
  return {77, number, begin, end, begin, bytes, 5, peer, true};
}

trace_io::MessageTimes times_of(const MessageJoin& join) {
  return join.messages.times({}, trace_io::kWholeShare, {});
}

}  // namespace

TEST_CASE("a message's latency goes from the start of its send to the end of its receive") {
  const auto join = joined({side(0, 1000, 1200), side(3, 5000, 5300)},
                           {side(3, 4000, 7000), side(0, 900, 2500)}, 0, kDistances);
  REQUIRE(join.messages.joined == 2);
  const auto times = times_of(join);
  REQUIRE(times.rows.size() == 1);
  const auto& row = times.rows.front();
  REQUIRE(row.sender == 0);
  REQUIRE(row.receiver == 1);
  REQUIRE(row.distance == MessageDistance::same_node);
  REQUIRE(row.bytes == 2000);
  REQUIRE(row.latency.min == Nanoseconds{1500});
  REQUIRE(row.latency.max == Nanoseconds{2000});
}

TEST_CASE("what one side alone has chosen is counted, and sizes that differ are no message") {
  auto other = side(1, 0, 10);
  other.bytes = 1001;
  auto unknown = side(2, 0, 10);
  unknown.bytes = kUnknownBytes;
  const auto join = joined({side(0, 0, 5), side(1, 0, 5), side(2, 0, 5)},
                           {other, unknown, side(9, 0, 10)}, 0, kDistances);
  REQUIRE(join.without_receiver == 1);
  REQUIRE(join.without_sender == 1);
  REQUIRE(join.different == 1);
  REQUIRE(join.messages.joined == 1);
}

TEST_CASE("costs are told by those messages alone that hold nothing else") {
  constexpr std::int64_t kLate = 2 * MessageJoin::kLate;
  std::vector<TimedSide> sends, receives;
  const auto add = [&](std::int64_t send_end, std::int64_t receive, std::int64_t end) {
    const auto number = sends.size();
    const auto base = static_cast<std::int64_t>(number) * 1'000'000;
    sends.push_back(side(number, base, base + send_end));
    receives.push_back(side(number, base + receive, base + end));
  };
  add(300, -5000, 900);                  // waited for: one way
  add(300, 400, 1500);                   // the receiver came while it was on its way: o_s alone
  add(310, kLate, kLate + 250);          // lay there: o_s, o_r, sent ahead
  add(kLate + 800, kLate, kLate + 900);  // waited for its receiver: held back
  add(600, 700, 1100);                   // both were sending: an exchange
  receives.back().stay -= 750;
  const auto times = times_of(joined(sends, receives, 0, kDistances));
  REQUIRE(times.costs.size() == 1);
  const auto& cost = times.costs.front();
  REQUIRE(cost.bytes == 1000);
  REQUIRE(cost.one_way.count == 1);
  REQUIRE(cost.one_way.sum == Nanoseconds{900});
  REQUIRE(cost.exchange.count == 1);
  REQUIRE(cost.exchange.sum == Nanoseconds{1100});
  REQUIRE(cost.send.count == 2);
  REQUIRE(cost.send.sum == Nanoseconds{300 + 310});
  REQUIRE(cost.receive.sum == Nanoseconds{250});
  REQUIRE(cost.sent_ahead == 1);
  REQUIRE(cost.held_back == 1);
}

TEST_CASE("statistics travel between ranks as bytes, and add up in any order") {
  std::mt19937 random(3);
  JoinedMessages parts[3], forwards, backwards;
  for (auto& part : parts) {
    part.sent = random() % 100;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t bytes = std::uint64_t{1} << (random() % 20);
      part.add({static_cast<std::int32_t>(random() % 3), 1, 11, 12, MessageDistance::same_node,
                trace_io::size_class_of(bytes)},
               bytes, Nanoseconds{static_cast<std::int64_t>(random() % 100000)});
      part.cost(MessageDistance::same_node, bytes)
          .one_way.add(Nanoseconds{static_cast<std::int64_t>(random() % 1000)});
      ++part.joined;
    }
    REQUIRE(JoinedMessages::from(part.bytes()).bytes() == part.bytes());
  }
  for (int i = 0; i < 3; ++i) {
    forwards.unite(parts[i]);
    backwards.unite(parts[2 - i]);
  }
  REQUIRE(forwards.bytes() == backwards.bytes());
  forwards.limit(4);
  const auto times = forwards.times({}, trace_io::kWholeShare, {});
  std::uint64_t count = 0;
  std::size_t of_ranks = 0;
  for (const auto& row : times.rows) {
    count += row.latency.count;
    of_ranks += row.sender >= 0 ? 1 : 0;
  }
  REQUIRE(count == 600);
  REQUIRE(of_ranks == 4);
}

TEST_CASE("the shortest round trip tells a clock's offset, to half of it") {
  const std::vector<RoundTrip> trips = {{1000, 5600, 1400}, {2000, 6480, 2100}, {3000, 7900, 3500}};
  const ClockOffset offset = offset_of(trips);
  REQUIRE(offset.at == 6480);
  REQUIRE(offset.offset == 2050 - 6480);
  REQUIRE(offset.doubt == 50);
}

TEST_CASE("offset and drift of a clock between two exchanges are taken off") {
  // A clock that is 5 ms ahead and gains 10 µs a second.
  const auto local = [](std::int64_t common) { return common + 5'000'000 + common / 100'000; };
  const auto exchange = [&](std::int64_t at) {
    const std::vector<RoundTrip> trips = {{at, local(at + 1000), at + 2000}};
    return offset_of(trips);
  };
  const NodeClock clock(exchange(1'000'000'000), exchange(101'000'000'000));
  for (const std::int64_t common : {1'000'000'000L, 20'000'000'000L, 100'000'000'000L})
    REQUIRE(std::abs(clock.common(local(common)) - common) <= 2);
  REQUIRE(clock.doubt() == 1000);
  const CommonClock ticks({500, 1'000'000'000}, {1500, 3'000'000'000}, NodeClock());
  REQUIRE(ticks.at(1000) == 2'000'000'000);
  REQUIRE(ticks.at(1600) == 3'200'000'000);
}
