// SPDX-License-Identifier: MIT
#include "trace-io/walk/cursor.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"

namespace reprise::trace_io::testing {
namespace {

ValueSequence sequence(const std::vector<std::int64_t>& values) {
  ValueSequence result;
  for (const auto value : values) result.append(value);
  return result;
}

RankList ranks(const std::vector<std::int32_t>& numbers) {
  std::vector<Rank> list;
  for (const auto number : numbers) list.push_back(Rank{number});
  return RankList::from_ranks(list);
}

FieldValues same(const RankList& list, const std::vector<std::int64_t>& values,
                 PeerForm form = PeerForm::absolute) {
  return {{list, form, sequence(values), {}}};
}

Node send(const RankList& list, FieldValues comm, FieldValues peer,
          const std::vector<std::int64_t>& bytes) {
  Leaf leaf;
  leaf.site = 1;
  leaf.fields = {std::move(comm), std::move(peer), same(list, {7}), same(list, bytes)};
  return {list, leaf};
}

Node barrier(const RankList& list, SiteId site, const std::vector<std::int64_t>& comm = {0}) {
  Leaf leaf;
  leaf.site = site;
  leaf.fields = {same(list, comm)};
  return {list, leaf};
}

Node loop(const RankList& list, FieldValues iterations, FieldValues exits, std::vector<Node> body) {
  return {list, Loop{std::move(iterations), std::move(exits), std::move(body)}};
}

Trace job(std::int32_t size, std::vector<Node> program) {
  Trace trace = trace_with_sites(16, Rank{0}, size);
  trace.header.recorded = RankList::all(size);
  trace.threads = {std::move(program)};
  return trace;
}

std::vector<SiteId> sites(const Trace& trace, std::int32_t rank) {
  std::vector<SiteId> found;
  for (const Event& event : decoded(trace, Rank{rank})) found.push_back(event.site);
  return found;
}

std::vector<std::int64_t> peers(const Trace& trace, std::int32_t rank) {
  std::vector<std::int64_t> found;
  for (const Event& event : decoded(trace, Rank{rank}))
    found.push_back(event.scalars[1] - kFirstPeer);
  return found;
}

using Sites = std::vector<SiteId>;
using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("cursor: a rank sees the nodes that list it", "[trace-io]") {
  const Trace trace =
      job(4, {barrier(RankList::all(4), 0), barrier(ranks({1, 3}), 4), barrier(ranks({2, 3}), 8)});
  CHECK(sites(trace, 0) == Sites{0});
  CHECK(sites(trace, 1) == Sites{0, 4});
  CHECK(sites(trace, 2) == Sites{0, 8});
  CHECK(sites(trace, 3) == Sites{0, 4, 8});
}

TEST_CASE("cursor: a rank in no list, or a thread that is not there, has nothing", "[trace-io]") {
  const Trace trace = job(3, {barrier(ranks({0, 2}), 0)});
  const Programs programs(trace);
  CHECK(programs.thread_count() == 1);
  CHECK(programs.has(Rank{0}, 0));
  CHECK_FALSE(programs.has(Rank{1}, 0));
  CHECK_FALSE(programs.has(Rank{0}, 1));
  CHECK_FALSE(Cursor(programs, Rank{1}, 0).advance());
}

TEST_CASE("cursor: iterations and exits are the rank's own, exits count the nodes it sees",
          "[trace-io]") {
  // Rank 0 runs 2 passes of (A E I); rank 1 does not see E: 1 pass of (A I) and then A alone.
  const RankList both = RankList::all(2);
  FieldValues iterations = same(ranks({0}), {2}), exits = same(ranks({0}), {0});
  iterations.push_back(same(ranks({1}), {1})[0]);
  exits.push_back(same(ranks({1}), {1})[0]);
  const Trace trace = job(2, {loop(both, iterations, exits,
                                   {barrier(both, 0), barrier(ranks({0}), 4), barrier(both, 8)}),
                              barrier(both, 12)});
  CHECK(sites(trace, 0) == Sites{0, 4, 8, 0, 4, 8, 12});
  CHECK(sites(trace, 1) == Sites{0, 8, 0, 12});
}

TEST_CASE("cursor: loops of zero length, left in the middle and nested keep their counts apart",
          "[trace-io]") {
  const RankList one = ranks({0});
  const Node inner =
      loop(one, same(one, {0, 2, 0}), same(one, {0, 1, 1}), {barrier(one, 4), barrier(one, 8)});
  const Trace trace = job(
      1, {loop(one, same(one, {2}), same(one, {2}), {barrier(one, 0), inner, barrier(one, 12)})});
  CHECK(sites(trace, 0) == Sites{0, 12, 0, 4, 8, 4, 8, 4, 12, 0, 4});
}

TEST_CASE("cursor: peers come in the view of the rank", "[trace-io]") {
  const RankList all = RankList::all(8);
  SECTION("relative, around the world") {
    const Trace trace =
        job(8, {send(all, same(all, {0}), same(all, {kFirstPeer + 1}, PeerForm::relative), {8})});
    for (std::int32_t rank = 0; rank < 8; ++rank)
      CHECK(peers(trace, rank) == Values{(rank + 1) % 8});
  }
  SECTION("exclusive-or, changing") {
    const Trace trace =
        job(8, {loop(all, same(all, {3}), same(all, {0}),
                     {send(all, same(all, {0}),
                           same(all, {kFirstPeer + 1, kFirstPeer + 2, kFirstPeer + 4},
                                PeerForm::exclusive_or),
                           {8})})});
    for (std::int32_t rank = 0; rank < 8; ++rank)
      CHECK(peers(trace, rank) == Values{rank ^ 1, rank ^ 2, rank ^ 4});
  }
  SECTION("special codes are the same for all") {
    const Trace trace =
        job(8, {send(all, same(all, {0}), same(all, {kProcNull}, PeerForm::relative), {8})});
    for (std::int32_t rank = 0; rank < 8; ++rank)
      CHECK(peers(trace, rank) == Values{kProcNull - kFirstPeer});
  }
  SECTION("entries of their own for some") {
    FieldValues peer = same(ranks({0, 1, 2, 3, 4, 5, 6}), {kFirstPeer + 1}, PeerForm::relative);
    peer.push_back(same(ranks({7}), {kFirstPeer + 3})[0]);
    const Trace trace = job(8, {send(all, same(all, {0}), peer, {8})});
    for (std::int32_t rank = 0; rank < 7; ++rank) CHECK(peers(trace, rank) == Values{rank + 1});
    CHECK(peers(trace, 7) == Values{3});
  }
}

TEST_CASE("cursor: relative peers are counted in the communicator of the call", "[trace-io]") {
  // Index 2 is the even ranks for even ranks, the odd ones for odd ranks. Everybody sends to the right in it, then in the world.
  const RankList all = RankList::all(8);
  const auto with_communicators = [&](std::vector<Node> program) {
    Trace trace = job(8, std::move(program));
    trace.communicators = {{{sequence({0, 2, 4, 6})}, 0}, {{sequence({1, 3, 5, 7})}, 0}};
    trace.communicator_indices = {{{ranks({0, 2, 4, 6}), 0}, {ranks({1, 3, 5, 7}), 1}}};
    return trace;
  };
  SECTION("always the same one") {
    const Trace trace = with_communicators(
        {send(all, same(all, {2}), same(all, {kFirstPeer + 1}, PeerForm::relative), {8})});
    for (std::int32_t rank = 0; rank < 8; ++rank)
      CHECK(peers(trace, rank) == Values{(rank / 2 + 1) % 4});
  }
  SECTION("a different one from rank to rank") {
    FieldValues communicator = same(ranks({0, 2, 4, 6}), {2, 2});
    communicator.push_back(same(ranks({1, 3, 5, 7}), {0, 0})[0]);
    const Trace trace = with_communicators(
        {send(all, communicator, same(all, {kFirstPeer + 1}, PeerForm::relative), {8})});
    for (std::int32_t rank = 0; rank < 8; ++rank)
      CHECK(peers(trace, rank) == Values{rank % 2 == 0 ? (rank / 2 + 1) % 4 : (rank + 1) % 8});
  }
}

TEST_CASE("cursor: ranks that share a longer sequence read a prefix of it", "[trace-io]") {
  const RankList both = RankList::all(2);
  FieldValues iterations = same(ranks({0}), {4});
  iterations.push_back(same(ranks({1}), {2})[0]);
  const Trace trace =
      job(2, {loop(both, iterations, same(both, {0}), {barrier(both, 0, {0, 1, 5, 6})})});
  CHECK(decoded(trace, Rank{0}) == Stream{{0, {0}, {}}, {0, {1}, {}}, {0, {5}, {}}, {0, {6}, {}}});
  CHECK(decoded(trace, Rank{1}) == Stream{{0, {0}, {}}, {0, {1}, {}}});
}

TEST_CASE("cursor: durations are those of the rank's class on the way that led here",
          "[trace-io]") {
  const auto lasting = [](std::int64_t nanoseconds) {
    Distribution durations(0);
    durations.add(Nanoseconds{nanoseconds}, Rank{0});
    return durations;
  };
  const RankList all = RankList::all(3);
  Node first = barrier(all, 0), second = barrier(all, 4);
  Leaf& leaf = std::get<Leaf>(first.content);
  leaf.compute = {{4, {{ranks({0, 2}), lasting(40)}, {ranks({1}), lasting(41)}}},
                  {kNoSite, {{all, lasting(10)}}}};
  leaf.communicate = {{ranks({0}), lasting(5)}, {ranks({1, 2}), lasting(6)}};
  Trace trace = job(3, {loop(all, same(all, {2}), same(all, {0}), {first, second})});
  const auto walk = [&](std::int32_t rank) {
    const Programs programs(trace);
    Values found;
    for (Cursor cursor(programs, Rank{rank}, 0); cursor.advance();) {
      for (const DeltaClass* delta : {cursor.compute(), cursor.communicate()})
        found.push_back(delta ? delta->durations.sum().value : -1);
    }
    return found;
  };
  CHECK(walk(0) == Values{10, 5, -1, -1, 40, 5, -1, -1});
  CHECK(walk(1) == Values{10, 6, -1, -1, 41, 6, -1, -1});
  CHECK(walk(2) == Values{10, 6, -1, -1, 40, 6, -1, -1});
}

TEST_CASE("cursor: many ranks of few classes share their programs", "[trace-io]") {
  // 65536 ranks, three classes; every rank decodes to its own neighbours.
  constexpr std::int32_t kRanks = 65536;
  const RankList all = RankList::all(kRanks);
  std::vector<Rank> inner;
  for (std::int32_t rank = 1; rank + 1 < kRanks; ++rank) inner.push_back(Rank{rank});
  const RankList not_last = all.minus(ranks({kRanks - 1})), not_first = all.minus(ranks({0}));
  const Trace trace =
      job(kRanks, {loop(all, same(all, {2}), same(all, {0}),
                        {send(not_last, same(not_last, {0}),
                              same(not_last, {kFirstPeer + 1}, PeerForm::relative), {8, 16}),
                         send(not_first, same(not_first, {0}),
                              same(not_first, {kFirstPeer}, PeerForm::relative), {8})})});
  const Programs programs(trace);
  std::vector<Cursor> cursors;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) cursors.emplace_back(programs, Rank{rank}, 0);
  std::size_t wrong = 0;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) {
    Cursor& cursor = cursors[static_cast<std::size_t>(rank)];
    for (int pass = 0; pass < 2; ++pass) {
      if (rank + 1 < kRanks)
        wrong += !cursor.advance() || cursor.scalars()[1] != kFirstPeer + rank + 1 ||
                 cursor.scalars()[3] != 8 << pass;
      if (rank > 0) wrong += !cursor.advance() || cursor.scalars()[1] != kFirstPeer + rank - 1;
    }
    wrong += cursor.advance();
  }
  CHECK(wrong == 0);
}

// What a loop of one send of these sizes, from rank 0 to rank 1, says at its first iteration.
std::uint64_t periods_alike(const std::vector<std::int64_t>& sizes, std::uint64_t period,
                            Cursor::Sizes kind) {
  const RankList sender = ranks({0});
  const auto count = static_cast<std::int64_t>(sizes.size());
  const Trace trace =
      job(2, {loop(sender, same(sender, {count}), same(sender, {0}),
                   {send(sender, same(sender, {0}), same(sender, {kFirstPeer + 1}), sizes)})});
  const Programs programs(trace);
  Cursor cursor(programs, Rank{0}, 0);
  cursor.advance();
  std::vector<std::uint64_t> left;
  cursor.values_left(0, left);
  return cursor.periods_alike(0, std::vector<std::uint64_t>(left.size(), period), kind);
}

TEST_CASE("cursor: sizes may be similar instead of equal", "[trace-io]") {
  const std::vector<std::int64_t> near{9000, 9100, 8900, 9050, 9300, 8700, 9900, 9001, 9200};
  CHECK(periods_alike(near, 1, Cursor::Sizes::equal) <= 1);
  CHECK(periods_alike(near, 1, Cursor::Sizes::similar) == 8);  // what is read already is not left
  CHECK(periods_alike(near, 2, Cursor::Sizes::similar) == 4);
  CHECK(periods_alike({0, 10, 4096, 7, 1}, 1, Cursor::Sizes::similar) == 4);  // all are small
  CHECK(periods_alike({9000, 9000, 9100, 40'000, 9000, 9000}, 1, Cursor::Sizes::similar) <= 1);
  CHECK(periods_alike({9, 9000, 8, 9100, 7, 9000, 9}, 2, Cursor::Sizes::similar) == 3);  // by place
}

TEST_CASE("cursor: phases of larger and smaller sizes are not similar", "[trace-io]") {
  const auto sizes = [](int count, const auto& size) {
    std::vector<std::int64_t> all;
    for (int i = 0; i < count; ++i) all.push_back(size(i));
    return all;
  };
  const auto alike = [](const std::vector<std::int64_t>& all, std::uint64_t period = 1) {
    return periods_alike(all, period, Cursor::Sizes::similar);
  };
  // None is more than twice the mean.
  CHECK(alike(sizes(200, [](int i) { return i < 100 ? 10'000 : 100'000; })) == 99);
  CHECK(alike(sizes(200, [](int i) { return (i < 100 ? 10'000 : 60'000) + i * 37 % 100; })) == 99);
  // Of few periods, the step from one phase to the next does not count as chance.
  const auto scattered = sizes(2000, [](int i) {
    return (i < 1000 ? 1 : 3) * (10'000 + (i * 7919 + i / 7 * 104'729) % 2500);
  });
  CHECK(alike(scattered) == 999);
  for (std::uint64_t period = 64; period < 128; ++period) CHECK(alike(scattered, period) <= 1);
  // A drift by a third is several phases; by a hundredth, or where messages are small, it is one.
  CHECK(alike(sizes(200, [](int i) { return 10'000 + 17 * i; })) == 49);
  CHECK(alike(sizes(200, [](int i) { return 100 + 2 * i; })) == 199);
  CHECK(alike(sizes(200, [](int i) { return 10'000 + i / 2; })) == 199);
  // By turns, and by chance.
  CHECK(alike(sizes(200, [](int i) { return i % 3 == 2 ? 20'000 : 12'000; })) == 199);
  CHECK(alike(sizes(200, [](int i) { return 10'000 + (i * 7919) % 1000 * 10; })) == 199);
}

TEST_CASE("cursor: the period of a loop is that of what it does", "[trace-io]") {
  const RankList all = RankList::all(2);
  std::vector<std::int64_t> often;
  for (int i = 0; i < 190; ++i) often.push_back(i % 19 == 18 ? 1 : 0);
  const Trace trace = job(
      2, {loop(all, same(all, {190}), same(all, {0}),
               {barrier(all, 1), loop(all, same(all, often), same(all, {0}), {barrier(all, 2)})})});
  const Programs programs(trace);
  Cursor cursor(programs, Rank{0}, 0);
  cursor.advance();
  CHECK(cursor.period(0, 64) == 19);
  CHECK(cursor.period(0, 18) == 0);
  const Trace plain =
      job(2, {loop(all, same(all, {190}), same(all, {0}), {barrier(all, 1), barrier(all, 2)})});
  const Programs plainly(plain);
  Cursor first(plainly, Rank{1}, 0);
  first.advance();
  CHECK(first.period(0, 64) == 1);
}

}  // namespace reprise::trace_io::testing
