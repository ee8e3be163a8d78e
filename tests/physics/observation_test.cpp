// SPDX-License-Identifier: MIT
// What a replay is watched for: call sites, the time line, traffic; in closed form, and the same whether iterations are left out or not.
#include "sim/engine/observe/observation.hpp"

#include <cmath>
#include <string>

#include "sim/engine/replay.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::Deltas;
using sim::NetworkKind;

struct Seen {
  sim::Outcome outcome;
  sim::Observation watched{{.calls = true, .timeline = true, .traffic = true}};
};

// In this process: the networks but SimGrid's simulate any number of times.
void watch(Seen& seen, int ranks, const std::string& calls, const platforms::Platform& machine,
           sim::ReplaySettings settings = {}) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  settings.observation = &seen.watched;
  seen.outcome = sim::replay(trace, machine, settings);
}

sim::ReplaySettings settings(bool forwards, Deltas deltas,
                             NetworkKind network = NetworkKind::flow) {
  sim::ReplaySettings result;
  result.fast_forward = forwards;
  result.deltas = deltas;
  result.network = network;
  return result;
}

const sim::CallAccount& account(const Seen& seen,
                                const std::vector<sim::Observation::RankSite>& rows, int rank,
                                int site) {
  for (const auto& row : rows)
    if (row.rank.value == rank && row.site == static_cast<trace_io::SiteId>(site))
      return row.account;
  FAIL("rank " << rank << " has no site " << site << " among " << seen.outcome.operations
               << " calls");
  throw 0;
}

void check_adds_up(const Seen& seen) {
  const double whole = seen.outcome.predicted_time.value;
  const auto rows = seen.watched.calls();
  std::uint64_t calls = 0;
  for (const auto& rank : seen.outcome.ranks) {
    sim::CallAccount sum;
    for (const auto& row : rows)
      if (row.rank == rank.rank) sum += row.account;
    calls += sum.calls;
    CHECK(std::abs(sum.compute - rank.compute.value) <= 1e-9 * whole);
    CHECK(std::abs(sum.in_mpi - sum.wait - rank.communication.value) <= 1e-9 * whole);
    CHECK(std::abs(sum.wait - rank.wait.value) <= 1e-9 * whole);
    const auto& line = seen.watched.timeline();
    sim::TimeBins::Share row;
    for (std::size_t bin = 0; bin < line.used_bins(); ++bin)
      row += line.at(static_cast<std::size_t>(rank.rank.value), bin);
    CHECK(std::abs(row.compute - rank.compute.value) <= 1e-9 * whole);
    CHECK(std::abs(row.communication - rank.communication.value) <= 1e-9 * whole);
    CHECK(std::abs(row.wait - rank.wait.value) <= 1e-9 * whole);
  }
  CHECK(calls == seen.outcome.operations);
  std::uint64_t messages = 0;
  const auto& traffic = seen.watched.traffic();
  for (std::size_t from = 0; from < traffic.matrix_size(); ++from)
    for (std::size_t to = 0; to < traffic.matrix_size(); ++to)
      messages += traffic.cell(from, to).messages;
  CHECK(messages == seen.outcome.messages);
}

const std::string kRing = R"(MPI_Irecv peer=-1 bytes=8kB request=0
    MPI_Isend peer=+1 bytes=8kB request=1 | compute {0: 10us; 1: 11us; 2: 17us; 3: 12us}
    MPI_Waitall requests=[0, 1]
    MPI_Allreduce send_bytes=8
)";
std::string looped(int count, const std::string& body) {
  return "loop " + std::to_string(count) + " {\n" + body + "\n}\n";
}

}  // namespace

// System: rank 0 computes 10 µs and sends 1000 bytes to rank 1, which has been waiting from the start; then the same with 3000.
TEST_CASE("observation: a call site's times are those of its calls in closed form", "[physics]") {
  Seen seen;
  watch(seen, 2, R"(ranks 0: loop 2 {
    ranks 0: MPI_Send peer=1 bytes=(1000, 3000) | compute 10us
    }
    ranks 1: loop 2 {
    ranks 1: MPI_Recv peer=0 bytes=(1000, 3000)
    })",
        star(2));
  const auto rows = seen.watched.calls();
  const auto& send = account(seen, rows, 0, 0);
  CHECK(send.calls == 2);
  CHECK(send.bytes == 4000);
  CHECK(send.least_bytes == 1000);
  CHECK(send.most_bytes == 3000);
  CHECK(send.compute == near(20e-6));
  CHECK(send.in_mpi == near(2 * kSendOverhead));
  CHECK(send.wait == 0);
  const auto& receive = account(seen, rows, 1, 1);
  const double first = 10e-6 + eager(1000), second = 20e-6 + kSendOverhead + eager(3000) - first;
  CHECK(receive.in_mpi == near(first + second));
  CHECK(receive.shortest == near(std::min(first, second)));
  CHECK(receive.longest == near(std::max(first, second)));
  CHECK(receive.wait == near(10e-6 + kSendOverhead + (20e-6 + 2 * kSendOverhead - first)));
  check_adds_up(seen);
}

TEST_CASE("observation: what is left out is accounted for as if it had been replayed",
          "[physics]") {
  const std::string calls =
      looped(3, kRing) +
      looped(
          400,
          kRing +
              looped(
                  5,
                  "MPI_Sendrecv peer=^1 receive_peer=^1 bytes=64 receive_bytes=64 | compute 1us")) +
      "loop 4 {\nMPI_Bcast peer=0 send_bytes=(1000, 20000, 50, 7777)\nloop (100, 200, 300, 400) "
      "{\n" +
      kRing + "}\n}";
  for (const auto network :
       {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue, NetworkKind::uncontended}) {
    Seen full, forwarded;
    watch(full, 4, calls, star(4), settings(false, Deltas::mean, network));
    watch(forwarded, 4, calls, star(4), settings(true, Deltas::mean, network));
    CHECK(full.outcome.forwarded.skipped_iterations == 0);
    CHECK(forwarded.outcome.forwarded.skipped_iterations >= 1000);
    check_adds_up(full);
    check_adds_up(forwarded);
    const double whole = full.outcome.predicted_time.value;
    const auto a = full.watched.calls(), b = forwarded.watched.calls();
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].rank == b[i].rank);
      CHECK(a[i].site == b[i].site);
      const auto &x = a[i].account, &y = b[i].account;
      CHECK(x.calls == y.calls);
      CHECK(x.bytes == y.bytes);
      CHECK(x.least_bytes == y.least_bytes);
      CHECK(x.most_bytes == y.most_bytes);
      CHECK(std::abs(x.compute - y.compute) <= 1e-9 * whole);
      CHECK(std::abs(x.in_mpi - y.in_mpi) <= 1e-9 * whole);
      CHECK(std::abs(x.wait - y.wait) <= 1e-9 * whole);
      CHECK(std::abs(x.shortest - y.shortest) <= 1e-9 * whole);
      CHECK(std::abs(x.longest - y.longest) <= 1e-9 * whole);
    }
    const auto &p = full.watched.traffic(), &q = forwarded.watched.traffic();
    for (std::size_t link = 0; link < p.links().size(); ++link) {
      CHECK(p.links()[link].bytes == q.links()[link].bytes);
      CHECK(std::abs(p.links()[link].busy - q.links()[link].busy) <= 1e-9 * whole);
    }
    for (std::size_t from = 0; from < 4; ++from)
      for (std::size_t to = 0; to < 4; ++to)
        CHECK(p.cell(from, to).bytes == q.cell(from, to).bytes);
  }
}

TEST_CASE("observation: where deltas vary, accounts of what is left out add up to the ranks' times",
          "[physics]") {
  const std::string calls = looped(
      4000, R"(MPI_Sendrecv peer=+1 receive_peer=-1 bytes=8kB receive_bytes=8kB | compute 20us
      MPI_Allreduce send_bytes=8 | compute (limit=5 count=16000 sum=1600000000 squares=0:160800000000000 )"
            "min=90000@0 max=110000@0 bins=[3200/288000000, 3200/304000000, 3200/320000000, "
            "3200/336000000, 3200/352000000])");
  Seen full, forwarded;
  watch(full, 4, calls, star(4), settings(false, Deltas::distribution));
  watch(forwarded, 4, calls, star(4), settings(true, Deltas::distribution));
  CHECK(forwarded.outcome.forwarded.skipped_iterations > 1000);
  check_adds_up(forwarded);
  const auto a = full.watched.calls(), b = forwarded.watched.calls();
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].account.calls == b[i].account.calls);
    CHECK(a[i].account.bytes == b[i].account.bytes);
    CHECK(b[i].account.compute == Approx(a[i].account.compute).epsilon(1e-3));
    CHECK(b[i].account.in_mpi == Approx(a[i].account.in_mpi).epsilon(2e-2));
  }
}

// System: 4 ranks, 2000 steps of two barriers. Before the first one ranks compute 10 to 90 µs in a recorded order, and much longer in the last steps; before the
// second one always 30 µs.
TEST_CASE("observation: computing in a recorded order is counted at the calls that it comes before",
          "[physics]") {
  const trace_io::testing::OrderedJob job{.ranks = 4,
                                          .steps = 2000,
                                          .duration =
                                              [](int rank, int step) {
                                                return std::int64_t{10'000 +
                                                                    20'000 * ((rank + step) % 5) +
                                                                    (step > 1800 ? 400'000 : 0)};
                                              },
                                          .second = [](int, int) { return std::int64_t{30'000}; }};
  const auto trace = merged(job);
  const auto watch_job = [&](Seen& seen, bool forwards) {
    sim::ReplaySettings asked = settings(forwards, Deltas::ordered);
    asked.observation = &seen.watched;
    seen.outcome = sim::replay(trace, star(4), asked);
  };
  Seen full, forwarded;
  watch_job(full, false);
  watch_job(forwarded, true);
  CHECK(forwarded.outcome.forwarded.skipped_iterations > 1000);
  check_adds_up(forwarded);
  const auto a = full.watched.calls(), b = forwarded.watched.calls();
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const sim::CallAccount &one = a[i].account, &other = b[i].account;
    CHECK(other.compute == Approx(one.compute).epsilon(1e-9));
    CHECK(other.in_mpi - other.wait >= 0);
    CHECK(other.in_mpi - other.wait == Approx(one.in_mpi - one.wait).epsilon(0.05));
  }
}

// System: every rank sends 1 MB to its neighbour on the right, ten times.
TEST_CASE("observation: a link is busy for as long as its bytes need", "[physics]") {
  for (const auto network :
       {NetworkKind::flow, NetworkKind::fluid, NetworkKind::queue, NetworkKind::uncontended}) {
    Seen seen;
    watch(seen, 4, looped(10, "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=1MB receive_bytes=1MB"),
          star(4), settings(true, Deltas::mean, network));
    const auto& traffic = seen.watched.traffic();
    for (platforms::LinkIndex link = 0; link < traffic.links().size(); ++link) {
      const bool is_of_network = link >= 4;  // before them the nodes' own
      CHECK(traffic.links()[link].bytes == (is_of_network ? 10e6 : 0));
      CHECK(traffic.links()[link].busy == near(is_of_network ? 10e6 / kBandwidth : 0));
    }
    CHECK(traffic.cell(3, 0).bytes == 10000000);
    CHECK(traffic.cell(3, 0).messages == 10);
    CHECK(traffic.cell(0, 3).messages == 0);
  }
}

TEST_CASE("observation: many ranks and long times keep the views small", "[physics]") {
  Seen seen;
  watch(seen, 130,
        "MPI_Sendrecv peer=+1 receive_peer=-1 bytes=8 receive_bytes=8 | compute 3s\nMPI_Barrier | "
        "compute 1us",
        star(130));
  const auto& line = seen.watched.timeline();
  REQUIRE(line.row_count() == 64);
  CHECK(line.first_rank(0) == 0);
  CHECK(line.first_rank(1) == 3);
  CHECK(line.first_rank(2) == 5);
  CHECK(line.first_rank(64) == 130);
  CHECK(line.used_bins() >= 100);
  CHECK(line.used_bins() <= 200);
  CHECK(static_cast<double>(line.used_bins()) * line.width().value == Approx(3).epsilon(0.01));
  CHECK(line.at(0, 0).compute == near(3 * line.width().value));  // of ranks 0 to 2
  CHECK(line.at(1, 0).compute == near(2 * line.width().value));
  const auto& traffic = seen.watched.traffic();
  REQUIRE(traffic.matrix_size() == 64);
  std::uint64_t messages = 0;
  for (std::size_t from = 0; from < 64; ++from)
    for (std::size_t to = 0; to < 64; ++to) messages += traffic.cell(from, to).messages;
  CHECK(messages == seen.outcome.messages);
}

TEST_CASE("observation: one-sided messages are on the links", "[physics]") {
  Seen seen;
  watch(seen, 2, R"(MPI_Win_create bytes=1MB
    MPI_Win_fence
    ranks 0: MPI_Put peer=1 bytes=5000
    ranks 0: MPI_Get peer=1 bytes=7000
    MPI_Win_fence
    MPI_Win_free)",
        star(2));
  CHECK(seen.watched.traffic().cell(0, 1).bytes == 5000);
  CHECK(seen.watched.traffic().cell(1, 0).bytes == 7000);
  check_adds_up(seen);
}

}  // namespace reprise::test
