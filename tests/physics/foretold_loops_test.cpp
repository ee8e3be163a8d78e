// SPDX-License-Identifier: MIT
// Loops whose compute times vary, with and without fast-forward: what each execution computes is known, so long ones meet the same iterations.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/physics/machines.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/base/integers.hpp"

namespace reprise::test {
namespace {

using sim::NetworkKind;

struct Pair {
  sim::Outcome full, forwarded;
  double off() const {
    return std::abs(full.predicted_time.value - forwarded.predicted_time.value);
  }
  bool is_inside() const {
    return off() <= forwarded.forwarded.error_bound.value + 1e-9 * full.predicted_time.value;
  }
};

Pair both(int ranks, const std::string& calls, const platforms::Platform& machine,
          NetworkKind network = NetworkKind::flow, std::uint64_t seed = 1) {
  sim::ReplaySettings settings;
  settings.network = network;
  settings.deltas = sim::Deltas::ordered;
  settings.seed = seed;
  settings.fast_forward = false;
  Pair pair;
  pair.full = simulate_calls(ranks, calls, machine, settings);
  settings.fast_forward = true;
  pair.forwarded = simulate_calls(ranks, calls, machine, settings);
  return pair;
}

// What is counted and computed is exact, whatever was left out.
void check_sums(const Pair& pair) {
  CHECK(pair.forwarded.operations == pair.full.operations);
  CHECK(pair.forwarded.messages == pair.full.messages);
  for (std::size_t rank = 0; rank < pair.full.ranks.size(); ++rank) {
    const auto &a = pair.full.ranks[rank], &b = pair.forwarded.ranks[rank];
    CHECK(b.compute.value == Approx(a.compute.value).epsilon(1e-9));
    CHECK(b.compute.value + b.communication.value + b.wait.value ==
          Approx(b.finish.value).epsilon(1e-6));
  }
}

// Compute times of a class of RANKS ranks in a loop: nine of ten around a middle, OUTLIERS in all of them FACTOR times as long.
std::string varied(int ranks, int iterations, std::int64_t ns, int outliers, std::int64_t factor) {
  const std::int64_t all = std::int64_t{ranks} * iterations, usual = all - outliers,
                     fifth = usual / 5, last = usual - 4 * fifth;
  std::string bins;
  std::int64_t sum = 0, squares = 0;
  const auto add = [&](std::int64_t count, std::int64_t each) {
    if (count == 0) return;
    bins += (bins.empty() ? "" : ", ") + std::to_string(count) + "/" + std::to_string(count * each);
    sum += count * each;
    squares += count * each * each;
  };
  for (int i = 0; i < 5; ++i) add(i < 4 ? fifth : last, ns * (90 + 5 * i) / 100);
  add(outliers, ns * factor);
  return " | compute (limit=6 count=" + std::to_string(all) + " sum=" + std::to_string(sum) +
         " squares=0:" + std::to_string(squares) + " min=" + std::to_string(ns * 90 / 100) +
         "@0 max=" + std::to_string(outliers > 0 ? ns * factor : ns * 110 / 100) + "@0 bins=[" +
         bins + "])\n";
}

std::string looped(int iterations, const std::string& body) {
  return "loop " + std::to_string(iterations) + " {\n" + body + "}\n";
}

// So many around a middle, without an order: "(19210, 20877, …)".
std::string sizes(int count, int middle, std::uint64_t spread) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    const auto off = trace_io::mixed_bits(static_cast<std::uint64_t>(i) + 1) % (2 * spread + 1);
    list += (i == 0 ? "(" : ", ") +
            std::to_string(middle + static_cast<int>(off) - static_cast<int>(spread));
  }
  return list + ")";
}
std::string without_first(const std::string& list) { return "(" + list.substr(list.find(' ') + 1); }
std::string without_last(const std::string& list) { return list.substr(0, list.rfind(',')) + ")"; }

std::string last_of(const std::string& list) {
  return list.substr(list.rfind(' ') + 1, list.size() - list.rfind(' ') - 2) + "\n";
}

std::string ring(int bytes) {
  const std::string size = std::to_string(bytes);
  return "MPI_Irecv peer=-1 bytes=" + size + " request=0\nMPI_Irecv peer=+1 bytes=" + size +
         " request=1\nMPI_Isend peer=+1 bytes=" + size +
         " request=2\nMPI_Isend peer=-1 bytes=" + size +
         " request=3\nMPI_Waitall requests=[0, 1, 2, 3]\n";
}

}  // namespace

// System: 4 ranks, an allreduce a step, times drawn from five lengths, and 10 of 8000 a hundred times as long. Without contention
// messages take the same time in every step, so the graph of events is the replay, but for what is on the way at the cuts.
TEST_CASE("foretold loops: without contention the graph is the replay", "[physics]") {
  const auto pair =
      both(4, looped(2000, "MPI_Allreduce send_bytes=8" + varied(4, 2000, 50'000, 10, 100)),
           star(4), NetworkKind::uncontended);
  check_sums(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 1500);
  CHECK(pair.off() <= 2e-4 * pair.full.predicted_time.value);
  CHECK(pair.is_inside());
}

// A ring without collectives: a late rank delays its neighbours, and they theirs a step later. Ranks end at times of their own.
TEST_CASE("foretold loops: delays travel as in the replay", "[physics]") {
  for (const int bytes : {64, 200'000}) {  // eager, with a handshake
    const std::string calls =
        looped(2000, "MPI_Barrier\n" + ring(bytes)) +
        looped(2000, ring(bytes) + "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=8 receive_bytes=8" +
                         varied(8, 2000, 60'000, 16, 50));
    const auto pair = both(8, calls, star(8), NetworkKind::uncontended);
    check_sums(pair);
    CHECK(pair.forwarded.forwarded.skipped_iterations >= 3000);
    CHECK(pair.off() <= 2e-4 * pair.full.predicted_time.value);
    for (std::size_t rank = 0; rank < 8; ++rank)
      CHECK(pair.forwarded.ranks[rank].finish.value ==
            Approx(pair.full.ranks[rank].finish.value).epsilon(1e-4));
  }
}

// With contention the difference of the two is estimated: of 100 programs at least 95 are inside the bound that is stated.
TEST_CASE(
    "foretold loops: of a hundred random programs with rare long times 95 are inside the bound",
    "[physics]") {
  int inside = 0, fired = 0;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto draw = [&, number = std::uint64_t{0}](std::uint64_t below) mutable {
      return trace_io::mixed_bits(seed * 1'000'003 + ++number) % below;
    };
    const int ranks = 2 << draw(3), iterations = 400 + static_cast<int>(draw(800));
    const int bytes = static_cast<int>(draw(2) == 0 ? 1 + draw(4000) : 20'000 + draw(200'000));
    const auto ns = static_cast<std::int64_t>(20'000 + draw(200'000));
    std::string body = ring(bytes);
    if (draw(2) == 0) body += "MPI_Allreduce send_bytes=8\n";
    if (draw(3) == 0) body += "MPI_Alltoall send_bytes=512 receive_bytes_per_peer=512\n";
    body += "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=1000 receive_bytes=1000" +
            varied(ranks, iterations, ns, static_cast<int>(draw(20)),
                   static_cast<std::int64_t>(2 + draw(100)));
    const auto pair = both(ranks, looped(iterations, body), star(static_cast<std::uint32_t>(ranks)),
                           NetworkKind::flow, seed);
    CHECK(pair.forwarded.operations == pair.full.operations);
    CHECK(pair.forwarded.forwarded.error_bound.value <= 0.01 * pair.full.predicted_time.value);
    inside += pair.is_inside() ? 1 : 0;
    fired += pair.forwarded.forwarded.skipped_iterations > 0 ? 1 : 0;
    worst = std::max(worst, pair.off() / pair.full.predicted_time.value);
  }
  CHECK(inside >= 95);
  CHECK(fired >= 90);
  CHECK(worst < 0.01);
}

TEST_CASE("foretold loops: what is foretold depends on the seed as the replay does", "[physics]") {
  const std::string calls =
      looped(800, ring(5000) + "MPI_Barrier" + varied(4, 800, 40'000, 8, 200));
  const auto one = both(4, calls, star(4), NetworkKind::flow, 1),
             again = both(4, calls, star(4), NetworkKind::flow, 1);
  CHECK(one.forwarded.predicted_time.value == again.forwarded.predicted_time.value);
  CHECK(one.forwarded.forwarded.skipped_iterations >= 500);
}

// A loop inside another with a loop of its own: the outer one is foretold as a whole.
TEST_CASE("foretold loops: loops inside are part of an iteration", "[physics]") {
  const auto pair = both(4,
                         looped(600, looped(5, ring(100)) + "MPI_Allreduce send_bytes=8" +
                                         varied(4, 600, 30'000, 5, 60)),
                         star(4), NetworkKind::uncontended);
  check_sums(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 400);
  CHECK(pair.off() <= pair.forwarded.forwarded.error_bound.value);
  CHECK(pair.off() <= 5e-4 * pair.full.predicted_time.value);
}

// System: 4 ranks, messages and blocks of an all-to-all whose sizes differ from step to step by up to 2 %.
TEST_CASE("foretold loops: sizes that vary are sampled", "[physics]") {
  const std::string size = sizes(600, 20'000, 400);
  const std::string exchange = "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=" + size +
                               " receive_bytes=" + size + varied(4, 600, 200'000, 5, 20);
  const std::string all =
      "MPI_Alltoall send_bytes=" + size + " receive_bytes_per_peer=" + size + "\n";
  for (const auto& [network, body] : {std::pair(NetworkKind::uncontended, exchange + all),
                                      std::pair(NetworkKind::flow, exchange)}) {
    const auto pair = both(4, looped(600, body), star(4), network);
    check_sums(pair);
    INFO(pair.forwarded.forwarded.reason);
    CHECK(pair.forwarded.forwarded.skipped_iterations >= 400);
    CHECK(pair.forwarded.forwarded.error_bound.value <= 0.01 * pair.full.predicted_time.value);
    CHECK(pair.is_inside());
  }
}

// System: a ring in which the message sent in a step is received in the next one. What is on the way where steps are left out meets a
// receive that another message was meant for, which may have been shorter.
TEST_CASE("foretold loops: messages on the way keep their sizes", "[physics]") {
  const std::string size = sizes(600, 2'000, 600);
  const std::string first = size.substr(1, size.find(',') - 1);
  const auto pair =
      both(4,
           "MPI_Send peer=+1 bytes=" + first + "\n" +
               looped(599, "MPI_Recv peer=-1 bytes=" + without_last(size) +
                               varied(4, 599, 50'000, 5, 20) +
                               "MPI_Send peer=+1 bytes=" + without_first(size) + "\n") +
               "MPI_Recv peer=-1 bytes=" + last_of(size),
           star(4), NetworkKind::uncontended);
  check_sums(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 450);
  CHECK(pair.is_inside());
}

// One message in the middle is five hundred times as long as the others: no sample would meet it.
TEST_CASE("foretold loops: a rare long message is not left out", "[physics]") {
  const std::string size = "(20000*300, 10000000, 20000*299)";
  const auto pair = both(4,
                         looped(600, "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=" + size +
                                         " receive_bytes=" + size + varied(4, 600, 50'000, 5, 20)),
                         star(4));
  CHECK(pair.off() <= pair.forwarded.forwarded.error_bound.value);
  CHECK(pair.forwarded.forwarded.skipped_iterations < 300);
}

// Every nineteenth step does more: the period is found in what ranks do.
TEST_CASE("foretold loops: a period of nineteen", "[physics]") {
  const auto pair =
      both(4,
           looped(1900, "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=1000 receive_bytes=1000" +
                            varied(4, 1900, 50'000, 5, 20) +
                            "loop (0*18, 1)*100 {\nMPI_Allreduce send_bytes=800\n}\n"),
           star(4), NetworkKind::uncontended);
  check_sums(pair);
  CHECK(pair.forwarded.forwarded.skipped_iterations >= 950);
  CHECK(pair.forwarded.forwarded.skipped_iterations % 19 == 0);
  CHECK(pair.is_inside());
}

TEST_CASE("foretold loops: collectives that do not block are replayed", "[physics]") {
  const auto pair = both(
      4, looped(400, "MPI_Ibarrier request=0\nMPI_Wait request=0" + varied(4, 400, 30'000, 5, 60)),
      star(4));
  CHECK(pair.off() == 0);
  CHECK(pair.forwarded.forwarded.skipped_iterations == 0);
  CHECK(pair.forwarded.forwarded.reason == "collectives that do not block are under way in it");
}

}  // namespace reprise::test
