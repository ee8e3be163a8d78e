// SPDX-License-Identifier: MIT
// The merge tree over ranks that are threads.
#include "recorder/finish/merge_tree.hpp"

#include <catch2/catch.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <thread>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/gather/gathered_trace.hpp"
#include "trace-io/gather/recorded_message.hpp"

using namespace reprise;
using namespace reprise::recorder;
using trace_io::testing::decoded;

namespace {

struct Post {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, TraceMessage> messages;  // by sender and receiver
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(int its_rank, int its_size, Post& post) : Ranks(its_rank, its_size), post_(post) {}
  void send(int to, const TraceMessage& message) noexcept override {
    const std::lock_guard lock(post_.mutex);
    post_.messages[{rank, to}] = message;
    post_.arrived.notify_all();
  }
  TraceMessage receive(int from) noexcept override {
    std::unique_lock lock(post_.mutex);
    post_.arrived.wait(lock, [&] { return post_.messages.contains({from, rank}); });
    return post_.messages.at({from, rank});
  }

 private:
  Post& post_;
};

trace_io::testing::Job job_of(int ranks) {
  trace_io::testing::Job job;
  job.ranks = ranks;
  job.procedures = {"MPI_Barrier"};
  job.calls.assign(static_cast<std::size_t>(ranks), {{0, {0}, {}, {}, {}}, {0, {0}, {}, {}, {}}});
  job.communicators.resize(static_cast<std::size_t>(ranks));
  return job;
}

std::optional<std::vector<std::byte>> both(const trace_io::testing::Job& job, int rank,
                                           const TraceMessage& received) {
  trace_io::testing::RecordedRank recorded = recorded_rank(job, rank);
  const trace_io::ThreadCompressor* const thread = &recorded.thread;
  return message_of_both(std::move(recorded.tables), {&thread, 1}, received.bytes, "the next rank");
}

// The trace of rank 0. `broken`: a rank whose trace could not be made; `garbled`: one that sends something else.
std::optional<trace_io::Trace> merged(int ranks, int broken = -1, int garbled = -1) {
  const auto job = job_of(ranks);
  Post post;
  std::optional<trace_io::Trace> result;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRanks others(rank, ranks, post);
      if (rank == garbled)
        return others.send(rank - 1, {std::vector<std::byte>(100, std::byte{42}), 1});
      if (only_sends(others))
        return send_only(others, [&] {
          if (rank == broken) throw std::bad_alloc();
          return trace_io::GatheredTrace(trace_of_rank(job, rank)).message();
        });
      std::optional<TraceMessage> received;
      if (receives_once(others)) {
        received = others.receive(rank + 1);
        if (pass_on(others, *received, [&] {
              if (rank == broken) throw std::bad_alloc();
              return both(job, rank, *received);
            }))
          return;
      }
      std::optional<trace_io::Trace> own;
      if (rank != broken) own = trace_of_rank(job, rank);
      auto last = merge_over(others, std::move(own), nullptr, std::move(received)).trace;
      if (rank == 0)
        result = std::move(last);
      else if (last)
        FAIL("rank " << rank << " has a trace left");
    });
  for (auto& thread : threads) thread.join();
  return result;
}

}  // namespace

TEST_CASE("rank 0 ends up with everybody, whatever the number of ranks") {
  for (int ranks = 1; ranks <= 9; ++ranks) {
    const auto trace = merged(ranks);
    REQUIRE(trace);
    REQUIRE(trace->header.recorded.size() == ranks);
    REQUIRE(trace->header.complete);
    REQUIRE(trace->losses.empty());
    for (int rank = 0; rank < ranks; ++rank) REQUIRE(decoded(*trace, rank).size() == 2);
  }
}

TEST_CASE("a rank without a trace is a loss by name, and the others' ranks are kept") {
  const auto trace = merged(6, 3);
  REQUIRE(trace);
  REQUIRE_FALSE(trace->header.complete);
  REQUIRE(trace->header.recorded.size() == 5);
  REQUIRE(trace->losses.size() == 1);
  REQUIRE(trace->losses[0].name == "ranks lost in the merge");
  REQUIRE(trace->losses[0].severity == trace_io::Severity::error);
  REQUIRE(trace->losses[0].count == 1);
}

TEST_CASE("where rank 0 has no trace the others are saved all the same") {
  const auto trace = merged(4, 0);
  REQUIRE(trace);
  REQUIRE(trace->header.recorded.size() == 3);
  REQUIRE(trace->losses.at(0).count == 1);
}

TEST_CASE("a message that is no trace loses the ranks that it stood for") {
  for (const int garbled : {1, 3}) {  // rank 2 unites what 3 sends with its recording
    const auto trace = merged(5, -1, garbled);
    REQUIRE(trace);
    REQUIRE_FALSE(trace->header.complete);
    REQUIRE(trace->header.recorded.size() == 4);
    REQUIRE(trace->losses.at(0).count == 1);
  }
}

TEST_CASE("a rank that cannot unite its recording with a message passes the message on") {
  const auto trace = merged(6, 2);
  REQUIRE(trace);
  REQUIRE(trace->header.recorded.size() == 5);
  REQUIRE_FALSE(trace->header.recorded.contains(Rank{2}));
  REQUIRE(trace->losses.at(0).count == 1);
}

TEST_CASE("the time of a rank that passes on what it received is counted once") {
  Post post;
  ThreadRanks others(2, 4, post);
  TraceMessage received{std::vector<std::byte>(1), 5};
  REQUIRE_FALSE(pass_on(others, received, [] { return std::nullopt; }));
  REQUIRE(received.cpu_ns > 5);  // for merge_over()
  REQUIRE(post.messages.empty());
  received.cpu_ns = 5;
  REQUIRE(pass_on(others, received, [] { return std::vector<std::byte>(3); }));
  const TraceMessage& sent = post.messages.at({2, 0});
  REQUIRE(sent.bytes.size() == 3);
  REQUIRE(sent.cpu_ns > 5);
}
