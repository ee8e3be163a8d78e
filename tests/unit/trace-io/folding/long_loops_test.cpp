// SPDX-License-Identifier: MIT
// Loops of any length fold: by the number of nodes, and by what decoding gives back.
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"

namespace reprise::trace_io::testing {
namespace {

using Sites = std::vector<SiteId>;

Sites distinct(SiteId first, SiteId count) {
  Sites sites(count);
  std::iota(sites.begin(), sites.end(), first);
  return sites;
}

Sites repeated(const Sites& sites, int times) {
  Sites all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), sites.begin(), sites.end());
  return all;
}

Sites operator+(Sites first, const Sites& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Barriers only, so that long streams stay small.
std::vector<Node> program_of(const Sites& sites) {
  ThreadCompressor compressor({});
  for (const SiteId site : sites) append(compressor, {4 * site, {0}, {}});
  return compressor.program();
}

bool comes_back(const std::vector<Node>& program, const Sites& sites) {
  const SiteId last = *std::max_element(sites.begin(), sites.end());
  const Stream stream = decoded(program, 4 * (last + 1));
  return std::equal(stream.begin(), stream.end(), sites.begin(), sites.end(),
                    [](const Event& event, SiteId site) { return event.site == 4 * site; });
}

}  // namespace

TEST_CASE("thread_compressor: a loop folds at its second pass, however long it is", "[trace-io]") {
  for (const SiteId length : {1U, 2U, 63U, 64U, 65U, 1000U, 1023U, 1024U, 1025U, 5000U, 100'000U}) {
    INFO(length << " calls");
    for (const int passes : {2, 3, 7}) {
      if (length * static_cast<SiteId>(passes) > 300'000) continue;
      const Sites sites = repeated(distinct(0, length), passes);
      const auto program = program_of(sites);
      REQUIRE(program.size() == 1);
      const Loop& loop = std::get<Loop>(program[0].content);
      CHECK(loop.body.size() == length);
      CHECK(loop.iterations[0].values.unrolled() == std::vector<std::int64_t>{passes});
      CHECK(comes_back(program, sites));
    }
  }
}

TEST_CASE("thread_compressor: a long loop between other calls", "[trace-io]") {
  for (const SiteId before : {1U, 500U, 9000U}) {
    const Sites sites =
        distinct(10'000, before) + repeated(distinct(0, 3000), 5) + distinct(20'000, 700);
    const auto program = program_of(sites);
    INFO(before << " calls before it");
    CHECK(node_count(program) == before + 3001 + 700);
    CHECK(comes_back(program, sites));
  }
}

TEST_CASE("thread_compressor: a long loop over few sites in no order", "[trace-io]") {
  std::mt19937 random(11);
  Sites body;
  for (int i = 0; i < 3000; ++i) body.push_back(static_cast<SiteId>(random() % 400));
  const auto program = program_of(repeated(body, 4));
  CHECK(comes_back(program, repeated(body, 4)));
  CHECK(node_count(program) <= node_count(program_of(body)) + 1);
  CHECK(node_count(program_of(repeated(body, 12))) == node_count(program));
}

TEST_CASE("thread_compressor: loops inside a long loop, of lengths that change", "[trace-io]") {
  const auto sites_of = [](int steps) {
    Sites sites;
    for (int step = 0; step < steps; ++step)
      for (SiteId part = 0; part < 200; ++part) {
        sites = std::move(sites) + distinct(100 * part, 12);
        for (int i = 0; i < 1 + (step + static_cast<int>(part)) % 4; ++i)
          sites = std::move(sites) + distinct(100 * part + 50, 2);
      }
    return sites;
  };
  const auto few = program_of(sites_of(6)), many = program_of(sites_of(18));
  CHECK(comes_back(many, sites_of(18)));
  CHECK(node_count(many) == node_count(few));
  CHECK(node_count(many) <= 2 + 200 * (12 + 3) + 12);
}

TEST_CASE("thread_compressor: alike stretches in a long loop do not hide its period",
          "[trace-io]") {
  // A hundred calls that come 300 times in each pass, each time before another call.
  Sites body;
  for (SiteId i = 0; i < 300; ++i) body = std::move(body) + distinct(1000, 100) + Sites{i};
  const auto few = program_of(repeated(body, 3)), many = program_of(repeated(body, 9));
  CHECK(comes_back(many, repeated(body, 9)));
  CHECK(node_count(many) == node_count(few));
}

TEST_CASE("thread_compressor: a branch widens a long loop", "[trace-io]") {
  std::mt19937 random(3);
  Sites sites = repeated(distinct(0, 2500), 2);
  for (int pass = 0; pass < 30; ++pass)
    for (SiteId i = 0; i < 2500; ++i) {
      sites.push_back(i);
      if (i % 50 == 7 && random() % 2 == 0) sites = std::move(sites) + distinct(5000 + 2 * i, 2);
    }
  const auto program = program_of(sites);
  CHECK(comes_back(program, sites));
  CHECK(node_count(program) == 1 + 2500 + 50 * 3);
}

TEST_CASE("thread_compressor: what never repeats stays what it is", "[trace-io]") {
  const Sites sites = distinct(0, 50'000);
  const auto program = program_of(sites);
  CHECK(program.size() == sites.size());
  CHECK(comes_back(program, sites));
}

}  // namespace reprise::trace_io::testing
