// SPDX-License-Identifier: MIT
// What ranks send each other gives the trace that merging files gives, to the byte; what is damaged or of another job changes nothing.
#include "trace-io/gather/gathered_trace.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/trace-io/merge/job.hpp"
#include "tests/unit/trace-io/merge/random_job.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/gather/message_parts.hpp"
#include "trace-io/gather/recorded_message.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr std::uint64_t kSeeds = 600;

// Neighbours first. `unite(a, b)`: into a.
template <class Part, class Unite>
Part in_tree(std::vector<Part> parts, const Unite& unite) {
  for (std::size_t step = 1; step < parts.size(); step *= 2)
    for (std::size_t i = 0; i + step < parts.size(); i += 2 * step)
      unite(parts[i], parts[i + step]);
  return std::move(parts.front());
}

Trace merged_from_files(const Job& job) {
  std::vector<Trace> ranks;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) ranks.push_back(trace_of_rank(job, rank));
  return in_tree(std::move(ranks), [](Trace& a, const Trace& b) {
    a = merge(std::move(a), deserialise(serialise(b), "b"));
  });
}

Trace gathered(const Job& job) {
  std::vector<GatheredTrace> ranks;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank)
    ranks.emplace_back(trace_of_rank(job, rank));
  GatheredTrace all = in_tree(std::move(ranks),
                              [](GatheredTrace& a, GatheredTrace& b) { a.add(b.message(), "b"); });
  if (job.ranks > 1) finalize(all.trace());  // of one rank, nothing was merged
  return std::move(all.trace());
}

// Every rank calls the same, with other times.
Job job_alike(std::int32_t ranks, int steps = 20) {
  Job job;
  job.ranks = ranks;
  job.order_budget = Bytes{4096};
  job.keeps_order = true;
  job.procedures = {"MPI_Barrier", "MPI_Send", "MPI_Send", "MPI_Barrier"};
  job.calls.resize(static_cast<std::size_t>(ranks));
  for (std::int32_t me = 0; me < ranks; ++me) {
    auto& calls = job.calls[static_cast<std::size_t>(me)];
    auto time = [&, count = me]() mutable {  // one in 401 is long
      ++count;
      return Nanoseconds{(count % 401 == 0 ? 100'000 : 1000) + 37 * me + 13 * (count % 11)};
    };
    calls.push_back({0, {0}, {}, {}, {}});
    for (int step = 0; step < steps; ++step) {
      const std::int64_t right = kFirstPeer + (me + 1) % ranks,
                         left = kFirstPeer + (me + ranks - 1) % ranks;
      calls.push_back({1, {0, right, 7, 64 * step}, {}, time(), time()});
      calls.push_back({2, {0, left, 7, 64 * step}, {}, time(), time()});
    }
    calls.push_back({3, {0}, {}, time(), {}});
  }
  return job;
}

TEST_CASE("gather: ranks that are alike give what merging their files gives", "[gather]") {
  for (const std::int32_t ranks : {2, 3, 4, 7, 16, 33}) {
    const Job job = job_alike(ranks);
    CAPTURE(ranks);
    REQUIRE(serialise(gathered(job)) == serialise(merged_from_files(job)));
  }
}

TEST_CASE("gather: of a long run rare long times arrive as well", "[gather]") {
  const Job job = job_alike(3, 5000);
  const auto file = serialise(gathered(job));
  REQUIRE(file == serialise(merged_from_files(job)));
  CHECK(has_peaks(deserialise(file, "gathered")));
}

TEST_CASE("gather: whatever the programs, the trace that merging their files gives", "[gather]") {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Job job = random_job(seed);
    CAPTURE(seed, job.ranks);
    REQUIRE(serialise(gathered(job)) == serialise(merged_from_files(job)));
  }
}

TEST_CASE("gather: a message is a trace of its own, too", "[gather]") {
  const Job job = job_alike(3);
  GatheredTrace rank(trace_of_rank(job, 1));
  CHECK(serialise(trace_of_message(rank.message(), "rank 1")) == serialise(rank.trace()));
}

TEST_CASE("gather: what a rank sends of its recording is what it sends of its trace", "[gather]") {
  const auto check = [](const Job& job) {
    for (std::int32_t rank = 0; rank < job.ranks; ++rank) {
      RecordedRank recorded = recorded_rank(job, rank);
      if (is_to_be_sent_whole(recorded.tables)) continue;  // of a job of one rank
      const ThreadCompressor* const thread = &recorded.thread;
      const auto of_trace = GatheredTrace(trace_of_rank(job, rank)).message();
      REQUIRE(message_of_recording(recorded.tables, {&thread, 1}) == of_trace);
      const std::size_t bytes = thread->memory_bytes();
      recorded.thread.settle();
      REQUIRE(thread->memory_bytes() <= bytes);
      REQUIRE(message_of_recording(recorded.tables, {&thread, 1}) == of_trace);
    }
  };
  check(job_alike(3));
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Job job = random_job(seed);
    job.keeps_order = seed % 2 == 0;
    CAPTURE(seed, job.ranks);
    check(job);
  }
}

TEST_CASE("gather: what a rank makes of its recording and a message is what its trace makes of it",
          "[gather]") {
  int united = 0;
  const auto check = [&](const Job& job) {
    for (std::int32_t rank = 0; rank + 1 < job.ranks; ++rank) {
      RecordedRank recorded = recorded_rank(job, rank);
      const ThreadCompressor* const thread = &recorded.thread;
      const auto message = GatheredTrace(trace_of_rank(job, rank + 1)).message();
      const auto both = message_of_both(std::move(recorded.tables), {&thread, 1}, message, "next");
      if (!both) continue;
      GatheredTrace trace(trace_of_rank(job, rank));
      trace.add(message, "next");
      REQUIRE(*both == trace.message());
      ++united;
    }
  };
  check(job_alike(5));
  CHECK(united == 4);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Job job = random_job(seed);
    job.keeps_order = seed % 2 == 0;
    CAPTURE(seed, job.ranks);
    check(job);
  }
  CHECK(united > 100);
}

TEST_CASE("gather: a recording takes no message that a trace is needed for, or that is damaged",
          "[gather]") {
  const auto both = [](const Job& job, std::int32_t rank, std::span<const std::byte> message) {
    RecordedRank recorded = recorded_rank(job, rank);
    const ThreadCompressor* const thread = &recorded.thread;
    return message_of_both(std::move(recorded.tables), {&thread, 1}, message, "rank 3");
  };
  const Job job = job_alike(8);
  auto message = GatheredTrace(trace_of_rank(job, 3)).message();
  CHECK(both(job, 2, message));
  CHECK_FALSE(both(job, 4, message));  // the lower rank comes first
  CHECK_THROWS_AS(both(job, 3, message), InputError);
  CHECK_THROWS_AS(both(job_alike(7), 2, message), InputError);
  Job other = job;
  other.calls[2].pop_back();
  CHECK_FALSE(both(other, 2, message));

  GatheredTrace two(trace_of_rank(job, 3));
  two.add(GatheredTrace(trace_of_rank(job, 4)).message(), "rank 4");
  CHECK_FALSE(both(job, 2, two.message()));

  for (std::size_t i = 0; i < message.size(); ++i) {
    message[i] ^= std::byte{16};
    CHECK_THROWS_AS(both(job, 2, message), InputError);
    message[i] ^= std::byte{16};
  }
}

TEST_CASE("gather: of many logged durations a trace chooses", "[gather]") {
  // 2 × 2048 durations of a path are kept at most: 65 paths are too many.
  Job job = job_alike(4, 0);
  for (auto& calls : job.calls)
    for (int path = 0; path < 65; ++path)
      for (int i = 0; i < 2048; ++i)
        calls.push_back({static_cast<SiteId>(path + 4), {0}, {}, Nanoseconds{1000}, {}});
  job.procedures.resize(4 + 65, "MPI_Barrier");
  const auto message = GatheredTrace(trace_of_rank(job, 3)).message();
  RecordedRank recorded = recorded_rank(job, 2);
  const ThreadCompressor* const thread = &recorded.thread;
  CHECK_FALSE(message_of_both(std::move(recorded.tables), {&thread, 1}, message, "rank 3"));
}

// Who writes them need not find it out, which takes as long as recording them.
TEST_CASE("gather: sequences that came about value by value are known to after they were sent",
          "[gather]") {
  Trace own = trace_of_rank(job_alike(3), 0);
  ValueSequence grown;
  for (std::uint64_t i = 0; i < 1000; ++i)
    grown.append(static_cast<std::int64_t>(mixed_bits(i) % 3));
  const ValueSequence other = ValueSequence::from_terms(grown.terms());
  REQUIRE(grown.is_grown());
  REQUIRE(!other.is_grown());
  for (const ValueSequence& sent : {grown, other}) {
    for_each_leaf(own.threads.front(), [&](Leaf& leaf) {
      for (FieldValues& field : leaf.fields)
        for (FieldEntry& entry : field) entry.values = sent;
    });
    const Trace received = trace_of_message(GatheredTrace(own).message(), "a");
    int fields = 0;
    for_each_leaf(received.threads.front(), [&](const Leaf& leaf) {
      for (const FieldValues& field : leaf.fields)
        for (const FieldEntry& entry : field) {
          REQUIRE(entry.values.terms() == sent.terms());
          REQUIRE(entry.values.is_grown() == sent.is_grown());
          ++fields;
        }
    });
    REQUIRE(fields > 0);
  }
}

TEST_CASE("gather: what is damaged is refused and changes nothing", "[gather]") {
  const Job job = job_alike(3);
  GatheredTrace own(trace_of_rank(job, 0)), other(trace_of_rank(job, 1));
  const auto before = serialise(own.trace());
  const auto message = other.message();
  for (std::size_t i = 0; i < message.size(); ++i) {
    auto damaged = message;
    damaged[i] ^= std::byte{16};
    REQUIRE_THROWS_AS(own.add(damaged, "rank 1"), InputError);
    REQUIRE_THROWS_AS(own.add(std::span(message).first(i), "rank 1"), InputError);
  }
  CHECK(own.is_sound());
  CHECK(serialise(own.trace()) == before);
}

TEST_CASE("gather: a rank twice, or of another job, is refused and changes nothing", "[gather]") {
  GatheredTrace own(trace_of_rank(job_alike(3), 0)), same(trace_of_rank(job_alike(3), 0)),
      foreign(trace_of_rank(job_alike(4), 1));
  const auto before = serialise(own.trace());
  CHECK_THROWS_AS(own.add(same.message(), "rank 0"), InputError);
  CHECK_THROWS_AS(own.add(foreign.message(), "rank 1"), InputError);
  CHECK(own.is_sound());
  CHECK(serialise(own.trace()) == before);
}

}  // namespace
}  // namespace reprise::trace_io::testing
