// SPDX-License-Identifier: MIT
// Files whose sequences are coded beside those of the loops around: whole, damaged, and where nothing is to be foreseen.
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "trace-io/base/error.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/loops_around.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr int kLoopRanks = 3;
using Counts = std::array<int, kLoopRanks>;  // executions by rank

// A program of irregular loops, some of them left in the middle. Where it is regular, nothing is left open.
class LoopsGenerator {
 public:
  LoopsGenerator(std::uint32_t seed, bool is_regular) : random_(seed), is_regular_(is_regular) {}

  std::string generate() {
    out_ = "reprise-text 1\nranks " + std::to_string(kLoopRanks) + "\nthread 0 {\n";
    loop({1, 1, 1}, 40 + pick(80), 0);
    return out_ + "}\n";
  }

 private:
  int pick(int choices) { return static_cast<int>(random_() % static_cast<unsigned>(choices)); }

  void call(const Counts& executions) {
    out_ += "MPI_Bcast peer=0 send_bytes=" +
            lists(executions, [this](int, int i) { return is_regular_ ? i % 3 : pick(5); }) +
            " at f" + std::to_string(sites_++) + "\n";
  }

  // f(rank, execution), for all ranks
  template <class F>
  std::string lists(const Counts& executions, F f) {
    std::string text = "{";
    for (int rank = 0; rank < kLoopRanks; ++rank) {
      text += (rank > 0 ? "; " : "") + std::to_string(rank) + ": (";
      for (int i = 0; i < executions[static_cast<std::size_t>(rank)]; ++i)
        text += (i > 0 ? ", " : "") + std::to_string(f(rank, i));
      text += ")";
    }
    return text + "}";
  }

  // iterations 0: of its own for each execution
  void loop(const Counts& executions, int iterations, int depth) {
    const int nodes = 2 + pick(4);
    std::array<std::vector<int>, kLoopRanks> full, left_at;
    for (std::size_t rank = 0; rank < kLoopRanks; ++rank)
      for (int i = 0; i < executions[rank]; ++i) {
        full[rank].push_back(iterations > 0 ? iterations : is_regular_ ? i % 3 : pick(4));
        if (i == 0) full[rank].back() += 1;
        left_at[rank].push_back(!is_regular_ && depth > 0 && pick(4) == 0 ? 1 + pick(nodes - 1)
                                                                          : 0);
      }
    const auto listed = [&](const auto& of) {
      return lists(executions, [&](int rank, int i) {
        return of[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)];
      });
    };
    out_ += "loop " + listed(full) + " exit " + listed(left_at) + " {\n";
    for (int node = 0; node < nodes; ++node) {
      Counts inside{};
      for (std::size_t rank = 0; rank < kLoopRanks; ++rank)
        for (std::size_t i = 0; i < full[rank].size(); ++i)
          inside[rank] += full[rank][i] + (left_at[rank][i] > node ? 1 : 0);
      if (node > 0 && depth < 4 && pick(2) == 0)
        loop(inside, 0, depth + 1);
      else
        call(inside);
    }
    out_ += "}\n";
  }

  std::mt19937 random_;
  const bool is_regular_;
  int sites_ = 0;
  std::string out_;
};

Trace of_loops(std::uint32_t seed, bool is_regular = false) {
  return assemble(LoopsGenerator(seed, is_regular).generate(), "loops");
}

std::vector<std::byte> coded(const Trace& trace) {
  std::uint32_t version = 0;
  return encode_payload(trace, version, true);
}

}  // namespace

TEST_CASE("aligned files: irregular loops come back in every part", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    const Trace trace = of_loops(seed, seed % 4 == 0);
    const auto payload = coded(trace);
    const Trace back = decode_payload(payload, kNeighboursVersion, "t");
    REQUIRE(dump(back) == dump(trace));
    REQUIRE(coded(back) == payload);
  }
}

TEST_CASE("aligned files: damaged ones are refused, or give another trace that comes back",
          "[trace-io]") {
  std::mt19937 random(43);
  std::size_t refused = 0, other = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto whole = coded(of_loops(seed));
    for (unsigned run = 0; run < 30; ++run) {
      auto payload = whole;
      payload[payload.size() - 1 - random() % (payload.size() / 4)] ^=
          static_cast<std::byte>(1U << random() % 8);
      try {
        const Trace trace = decode_payload(payload, kNeighboursVersion, "t");
        ++other;
        REQUIRE(coded(decode_payload(coded(trace), kNeighboursVersion, "t")) == coded(trace));
      } catch (const InputError& error) {
        ++refused;
        CHECK(error.where().find("payload byte") != std::string::npos);
      }
    }
  }
  CHECK(refused > 100);
  CHECK(other > 100);
}

TEST_CASE("aligned files: ranks that a node does not have ask for no loops", "[trace-io]") {
  // What no writer writes: a node of no ranks, whose field has one entry.
  Trace trace = of_loops(1);
  auto& loop = std::get<Loop>(trace.threads.front().front().content);
  loop.body.front().ranks = RankList();
  CHECK_FALSE(first_of(loop.body.front().ranks).has_value());
  const auto payload = coded(trace);
  try {
    const Trace back = decode_payload(payload, kNeighboursVersion, "t");
    CHECK(coded(back) == payload);
  } catch (const InputError&) {
  }
}
