// SPDX-License-Identifier: MIT
// Values that are functions of the rank take a rule's bytes in the file, not a value a rank.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr int kSteps = 20;
using Sends = std::vector<std::pair<std::int64_t, std::int64_t>>;  // peer and tag, of one step
using Rule = std::function<Sends(std::int32_t rank, std::int32_t ranks)>;

Job job_of(const Rule& rule, std::int32_t ranks) {
  Job job;
  job.ranks = ranks;
  job.procedures = {"MPI_Init", "MPI_Send", "MPI_Finalize"};
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    auto& calls = job.calls.emplace_back();
    calls.push_back({0, {}, {}, {}, {}});
    for (int step = 0; step < kSteps; ++step)
      for (const auto& [peer, tag] : rule(rank, ranks))
        calls.push_back({1, {0, kFirstPeer + peer, tag, 8}, {}, {}, {}});
    calls.push_back({2, {}, {}, {}, {}});
  }
  return job;
}

// The trace's bytes in a frame of zstd, which its file is shorter than; file and text give it again, with every call of every rank.
std::vector<std::byte> kept(const Job& job) {
  const Trace trace = merged_in_tree(job);
  const auto bytes = serialise(trace);
  const Trace back = deserialise(bytes, "t");
  REQUIRE(serialise(back) == bytes);
  REQUIRE(dump(back) == dump(trace));
  REQUIRE(serialise(assemble(dump(trace), "t")) == bytes);
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) {
    const auto calls = decoded(back, rank);
    const auto& made = job.calls[static_cast<std::size_t>(rank)];
    REQUIRE(std::equal(calls.begin(), calls.end(), made.begin(), made.end(), same_call));
  }
  std::uint32_t version = 0;
  const auto payload = unwrap(bytes, "t", version);
  const auto in_frame = wrap(payload, version);
  REQUIRE(bytes.size() < in_frame.size());
  return in_frame;
}

// From 4 to 16 to 64 ranks at most half as many bytes more each time. Of a frame of zstd, since coding takes two thirds off what
// is the same for any number of ranks, and so makes the rest a larger part.
void check_growth(const Rule& rule) {
  std::size_t before = kept(job_of(rule, 4)).size();
  for (const std::int32_t ranks : {16, 64}) {
    const std::size_t bytes = kept(job_of(rule, ranks)).size();
    CAPTURE(ranks, before, bytes);
    CHECK(2 * bytes <= 3 * before);
    before = bytes;
  }
}

Sends with_tags(const std::vector<std::int32_t>& peers, std::int64_t rank, std::int64_t ranks) {
  Sends sends;
  for (const std::int64_t peer : peers) sends.emplace_back(peer, rank * ranks + peer);
  return sends;
}

}  // namespace

TEST_CASE("rank rules: tag = rank * ranks + peer, of neighbours", "[merge]") {
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    return with_tags({(rank + ranks - 1) % ranks, (rank + 1) % ranks}, rank, ranks);
  });
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    const std::int32_t right = (rank + 1) % ranks;
    return Sends{{right, std::int64_t{right} * ranks + rank}};
  });
}

TEST_CASE("rank rules: tag = rank * ranks + peer, of all in turn from the own rank on", "[merge]") {
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    std::vector<std::int32_t> peers;
    for (std::int32_t k = 1; k < ranks; ++k) peers.push_back((rank + k) % ranks);
    return with_tags(peers, rank, ranks);
  });
}

// The fewest ranks have no own forms of the first and last rank's lists yet: growth counts from 16 on.
TEST_CASE("rank rules: all others in ascending order, with one tag and with tags by rank",
          "[merge]") {
  const auto others = [](std::int32_t rank, std::int32_t ranks) {
    std::vector<std::int32_t> peers;
    for (std::int32_t peer = 0; peer < ranks; ++peer)
      if (peer != rank) peers.push_back(peer);
    return peers;
  };
  const Rule with_one_tag = [&](std::int32_t rank, std::int32_t ranks) {
    Sends sends;
    for (const std::int32_t peer : others(rank, ranks)) sends.emplace_back(peer, 7);
    return sends;
  };
  check_growth(with_one_tag);
  const Rule with_own_tags = [&](std::int32_t rank, std::int32_t ranks) {
    return with_tags(others(rank, ranks), rank, ranks);
  };
  const std::size_t few = kept(job_of(with_own_tags, 16)).size();
  CHECK(10 * kept(job_of(with_own_tags, 64)).size() <= 11 * few);
  CHECK(10 * kept(job_of(with_own_tags, 256)).size() <= 12 * few);
}

TEST_CASE("rank rules: children and parents of a binary tree", "[merge]") {
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    Sends sends;
    for (const std::int32_t child : {2 * rank + 1, 2 * rank + 2})
      if (child < ranks) sends.emplace_back(child, 7);
    return sends;
  });
  check_growth([](std::int32_t rank, std::int32_t) {
    return rank == 0 ? Sends() : Sends{{(rank - 1) / 2, 7}};
  });
}

TEST_CASE("rank rules: children and parents of a binomial tree", "[merge]") {
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    std::int32_t mask = 1;
    while (mask < ranks && (rank & mask) == 0) mask <<= 1;
    Sends sends;
    for (mask >>= 1; mask > 0; mask >>= 1)
      if (rank + mask < ranks) sends.emplace_back(rank + mask, 7);
    return sends;
  });
  check_growth([](std::int32_t rank, std::int32_t) {
    return rank == 0 ? Sends() : Sends{{rank & (rank - 1), 7}};
  });
}

TEST_CASE("rank rules: block distributions, their sizes and their starts", "[merge]") {
  constexpr std::int32_t kAll = 1'000'003;
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    return Sends{{(rank + 1) % ranks, kAll / ranks + (rank < kAll % ranks ? 1 : 0)}};
  });
  check_growth([](std::int32_t rank, std::int32_t ranks) {
    const std::int32_t start = rank * (kAll / ranks) + std::min(rank, kAll % ranks);
    return Sends{{(rank + 1) % ranks, start}};
  });
}

// Rules of all kinds beside irregular values: nothing is lost, whichever way each is stored.
TEST_CASE("rank rules: random rules and values are kept", "[merge]") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);  // NOLINT(bugprone-random-generator-seed): the same on every run
    const auto below = [&](std::uint32_t limit) {
      return static_cast<std::int64_t>(random() % limit);
    };
    const auto ranks = static_cast<std::int32_t>(6 + below(40));
    const std::int64_t slope = below(200) - 100, shape = below(5), odd = below(4), shift = below(9);
    kept(job_of(
        [&](std::int32_t rank, std::int32_t all) {
          Sends sends;
          const std::int64_t several = shape == 0 ? rank : shape == 1 ? all - rank : 1 + shape;
          for (std::int64_t i = 0; i < several; ++i) {
            const std::int64_t noise = odd == 0 && below(10) == 0 ? below(1000) : 0;
            sends.emplace_back((rank * (1 + odd) + i + shift) % all,
                               100'000 + slope * rank + (rank / 2) * odd + i * shape + noise);
          }
          return sends;
        },
        ranks));
  }
}

}  // namespace reprise::trace_io::testing
