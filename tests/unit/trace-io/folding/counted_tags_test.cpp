// SPDX-License-Identifier: MIT
// Tags that count operations: stored as steps, read back exactly by a cursor, in a size that does not grow with the run.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io::testing {
namespace {

// Point-to-point calls of one rank with itself; what comes back of their tags.
class Messages {
 public:
  enum Site : SiteId { send, receive, probe, start_send, other_receive, constant, sites };

  explicit Messages(bool may_tell_steps = true) : may_tell_steps_(may_tell_steps) {
    trace_.header.ranks = 1;
    trace_.header.recorded = RankList::single(Rank{0});
    trace_.procedures = {"MPI_Send", "MPI_Recv", "MPI_Probe", "MPI_Isend"};
    trace_.call_paths.resize(sites);
    for (std::uint32_t site = 0; site < sites; ++site)
      trace_.sites.push_back({site == other_receive ? receive
                              : site == constant    ? send
                                                    : site,
                              site});
  }

  void call(Site site, std::int64_t comm, std::int64_t tag) {
    scalars_ = {comm, kFirstPeer, tag, 8, kNoPeer, kNone};
    if (site == probe) scalars_ = {comm, kFirstPeer, tag, kNoPeer, kNone};
    if (site == send || site == constant) scalars_.resize(4);
    if (site == start_send) scalars_ = {comm, kFirstPeer, tag, 8, -2};
    EventView event;
    event.site = site;
    event.scalars = scalars_;
    event.has_tag = may_tell_steps_ && site != probe;
    compressor_.append(event);
    tags_.push_back(tag);
  }

  Trace trace() {
    trace_.threads = {compressor_.program()};
    return trace_;
  }
  std::vector<std::int64_t> walked() {
    std::vector<std::int64_t> tags;
    for (const Event& event : decoded(trace(), Rank{0})) tags.push_back(event.scalars[kTagPlace]);
    return tags;
  }
  const std::vector<std::int64_t>& tags() const { return tags_; }
  void settle() { compressor_.settle(); }
  std::size_t size() { return size_of(compressor_.program()); }
  bool tells_steps() { return has_tag_steps(trace()); }

 private:
  bool may_tell_steps_;
  Trace trace_;
  ThreadCompressor compressor_{ThreadCompressor::Settings{}};
  std::vector<std::int64_t> scalars_, tags_;
};

// As BLACS numbers its operations: on each communicator by itself, from 176 to 9975 and then again; how many there are depends on the data.
void number_operations(Messages& messages, int steps, std::int64_t increment = 1) {
  std::array<std::int64_t, 2> last = {175, 175};
  std::mt19937 random(5);
  const auto next = [&](std::size_t comm) {
    return last[comm] = last[comm] == 9975 ? 176 : last[comm] + increment;
  };
  for (int step = 0; step < steps; ++step) {
    for (auto left = 1 + random() % 7; left > 0; --left) {
      messages.call(Messages::send, 1, next(0));
      messages.call(Messages::receive, 1, last[0]);
      messages.call(Messages::constant, 1, 9976);
    }
    for (auto left = random() % 5; left > 0; --left)
      messages.call(Messages::start_send, 1, next(0));
    if (random() % 3 == 0) messages.call(Messages::other_receive, 0, next(1));
  }
}

}  // namespace

TEST_CASE("tag steps: numbers below MPI_ANY_TAG are steps", "[trace-io]") {
  CHECK(as_tag_step(0) == -2);
  CHECK(as_tag_step(-1) == -3);
  CHECK(as_tag_step(1) == -4);
  CHECK(as_tag_step(kMostTag) == kLeastTagStep);
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{-7}, kMostTag, -kMostTag}) {
    CHECK(is_tag_step(as_tag_step(step)));
    CHECK(tag_step(as_tag_step(step)) == step);
  }
  CHECK_FALSE(is_tag_step(kAnyTag));
  CHECK_FALSE(is_tag_step(0));
}

TEST_CASE("tag steps: from the last step on the same communicator", "[trace-io]") {
  LastTags last;
  CHECK(last.tag(1, as_tag_step(3)) == 3);  // from 0
  CHECK(last.tag(0, as_tag_step(50)) == 50);
  CHECK(last.tag(1, as_tag_step(1)) == 4);
  CHECK(last.tag(1, kAnyTag) == kAnyTag);
  CHECK(last.tag(1, 9976) == 9976);  // no part of the count
  CHECK(last.tag(1, as_tag_step(0)) == 4);
  CHECK(last.tag(0, as_tag_step(-50)) == 0);
  CHECK(last.tag(0, as_tag_step(-1)) == kMostTag);  // of a damaged trace: a tag all the same
}

TEST_CASE("tag steps: counted operations fold to a size that steps do not change", "[trace-io]") {
  Messages few, many, without(false);
  number_operations(few, 100);
  number_operations(many, 10'000);  // the counter begins again four times
  number_operations(without, 10'000);
  CHECK(few.walked() == few.tags());
  CHECK(many.walked() == many.tags());
  CHECK(without.walked() == without.tags());
  CHECK(many.tells_steps());
  CHECK_FALSE(without.tells_steps());
  // How often the loops go round is data; tags add no more than where the counter begins again.
  Messages plain;
  number_operations(plain, 10'000, 0);
  CHECK(many.size() <= plain.size() + 64);
  CHECK(without.size() > plain.size() + 5'000);
}

TEST_CASE("tag steps: tags of a few kinds, of ranks, and of iterations stay tags", "[trace-io]") {
  const std::function<std::int64_t(int)> rules[] = {
      [](int) { return 7; },
      [](int i) { return 10 * (i % 4); },
      [](int i) { return i; },
      [](int i) { return 5'000 - i; },
      [](int i) { return (i * 37) % 16; },
      [](int i) { return i % 8 + 100 * (i % 3); },
      [](int i) { return i / 2 + 10 * (i % 2); },
      [](int i) { return 16'385 + 8'192 * (i % 2) + i / 2 % 16 + 16'384 * (i / 32 % 8); },
  };
  for (const auto& rule : rules) {
    CAPTURE(rule(1), rule(2), rule(3));
    Messages messages;
    for (int i = 0; i < 2'000; ++i) {
      messages.call(Messages::start_send, 0, rule(i));
      messages.call(Messages::receive, 0, rule(i));
    }
    CHECK(messages.walked() == messages.tags());
    CHECK_FALSE(messages.tells_steps());
  }
}

TEST_CASE("tag steps: a site whose steps become irregular tells tags again", "[trace-io]") {
  Messages messages;
  number_operations(messages, 50);
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i)
    messages.call(i % 3 == 0 ? Messages::receive : Messages::send, 1,
                  static_cast<std::int64_t>(random() % 1'000'000));
  for (int i = 0; i < 100; ++i) messages.call(Messages::send, 1, 12);
  messages.call(Messages::probe, 1, 99);  // probes do not change the last tag
  messages.call(Messages::receive, 1, kAnyTag);
  messages.call(Messages::receive, 1, 13);
  CHECK(messages.walked() == messages.tags());
}

TEST_CASE("tag steps: iterations that count on are not alike", "[trace-io]") {
  const auto alike = [](const std::string& tag) {
    const Trace trace = assemble(
        "reprise-text 1\nranks 2\nthread 0 {\nloop 100 {\nMPI_Barrier\nloop 3 {\nranks 0: " +
            ("MPI_Send peer=1 bytes=8 tag=" + tag) +
            "\nranks 1: MPI_Recv peer=0 bytes=8 tag=" + tag + "\n}\n}\n}\n",
        "t");
    const Programs programs(trace);
    Cursor cursor(programs, Rank{0}, 0);
    REQUIRE(cursor.advance());
    std::vector<std::uint64_t> values;
    cursor.values_left(0, values);
    std::fill(values.begin(), values.end(), 0);
    return cursor.periods_alike(0, values) > 0;
  };
  CHECK(alike("7"));
  CHECK_FALSE(alike("last+1"));
}

TEST_CASE("tag steps: in a file of version 9 or newer, and in its text", "[trace-io]") {
  Messages messages;
  number_operations(messages, 200);
  const Trace trace = messages.trace();
  const std::vector<std::byte> bytes = serialise(trace);
  CHECK(payload_version(bytes) == kNeighboursVersion);
  CHECK(std::to_integer<std::uint32_t>(serialise_quickly(trace)[kVersionOffset]) ==
        kNeighboursVersion);
  CHECK(serialise(deserialise(bytes, "t")) == bytes);
  const std::string text = dump(trace);
  CHECK_THAT(text, Catch::Contains("last+1*"));
  CHECK_THAT(text, Catch::Contains("last+0*"));
  CHECK(dump(assemble(text, "t")) == text);
}

TEST_CASE("tag steps: what follows settle() is read back as well, and settled again",
          "[trace-io]") {
  Messages messages;
  for (int part = 0; part < 5; ++part) {
    number_operations(messages, 40);
    messages.settle();
    CHECK(messages.walked() == messages.tags());
  }
  CHECK(messages.tells_steps());
}

}  // namespace reprise::trace_io::testing
