// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "tests/unit/trace-io/folding/structured_program.hpp"

namespace reprise::trace_io::testing {
namespace {

std::string folded_word(const std::string& word) {
  std::vector<SiteId> sites;
  for (const char letter : word) sites.push_back(static_cast<SiteId>(letter - 'A'));
  return shape(folded(stream_of(sites)));
}

std::string repeated(const std::string& word, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += word;
  return all;
}

std::string a_then_b(int first, int last) {
  std::string word;
  for (int n = first; n <= last; ++n) word += std::string(static_cast<std::size_t>(n), 'A') + "B";
  return word;
}

std::vector<std::int64_t> unrolled(const ValueSequence& sequence) {
  std::vector<std::int64_t> values;
  for (ValueSequence::Cursor cursor(sequence); !cursor.at_end();) values.push_back(cursor.next());
  return values;
}

}  // namespace

TEST_CASE("thread_compressor: loops nest as the program's do", "[trace-io]") {
  CHECK(folded_word("ABCABCABC") == "loop(A B C)");
  CHECK(folded_word("XABABABYABABABYZ") == "X loop(loop(A B) Y) Z");
  CHECK(folded_word(repeated(repeated("AB", 3) + "C" + repeated("DDE", 2) + "F", 3)) ==
        "loop(loop(A B) C loop(loop(D) E) F)");
  CHECK(folded_word(repeated("ABAC", 5)) == "loop(A B A C)");
}

TEST_CASE("thread_compressor: one inner loop serves counts that change", "[trace-io]") {
  CHECK(folded_word(a_then_b(2, 40)) == "loop(loop(A) B)");
  CHECK(folded_word(repeated("ABBCABC", 3)) == "loop(A loop(B) C)");
  CHECK(folded_word("ABABABB" + repeated("ABBB", 3)) == "loop(A loop(B))");
}

TEST_CASE("thread_compressor: a loop left in the middle keeps where it was left", "[trace-io]") {
  const auto program = folded(
      stream_of({0, 1, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 0, 2, 0, 1, 0, 2}));  // ABABABAC ABABAC ABAC
  REQUIRE(shape(program) == "loop(loop(A B) C)");
  const Loop& outer = std::get<Loop>(program[0].content);
  const Loop& inner = std::get<Loop>(outer.body[0].content);
  CHECK(unrolled(outer.iterations[0].values) == std::vector<std::int64_t>{3});
  CHECK(unrolled(outer.exits[0].values) == std::vector<std::int64_t>{0});
  CHECK(unrolled(inner.iterations[0].values) == std::vector<std::int64_t>{3, 2, 1});
  CHECK(unrolled(inner.exits[0].values) == std::vector<std::int64_t>{1, 1, 1});
}

TEST_CASE("thread_compressor: a branch widens the loop it is in", "[trace-io]") {
  SECTION("a call that is made now and then") {
    const auto program =
        folded(stream_of({0, 1, 2, 0, 1, 2, 0, 1, 3, 2, 0, 1, 2, 0, 1, 3, 2}));  // D in ABC
    REQUIRE(shape(program) == "loop(A B loop(D) C)");
    const Loop& branch = std::get<Loop>(std::get<Loop>(program[0].content).body[2].content);
    CHECK(unrolled(branch.iterations[0].values) == std::vector<std::int64_t>{0, 0, 1, 0, 1});
  }
  SECTION("a call that is left out now and then") {
    const auto program = folded(stream_of({0, 1, 2, 0, 1, 2, 0, 2, 0, 1, 2}));
    REQUIRE(shape(program) == "loop(A loop(B) C)");
    const Loop& branch = std::get<Loop>(std::get<Loop>(program[0].content).body[1].content);
    CHECK(unrolled(branch.iterations[0].values) == std::vector<std::int64_t>{1, 1, 0, 1});
  }
  SECTION("two alternatives") {
    CHECK(folded_word("ABDABDACDABDACDACDABD") == "loop(A loop(C) loop(B) D)");
  }
  SECTION("a detour that is a loop") {
    CHECK(folded_word("ABCABCABDDDCABCABDC") == "loop(A B loop(D) C)");
  }
  SECTION("a pass given up and begun again") {
    CHECK(folded_word("ABCABCABABCABC") == "loop(loop(A B C))");
  }
  SECTION("in an inner loop") {
    CHECK(folded_word("XABCABCXABCABCXABDCABCXABC") == "loop(X loop(A B loop(D) C))");
  }
  SECTION("between executions of an inner loop") {
    CHECK(folded_word("XABABXABABXABCABXABAB") == "loop(X loop(loop(A B) C))");
  }
}

TEST_CASE("thread_compressor: the program of a time step does not grow with steps", "[trace-io]") {
  // A halo exchange, a message whose tag is the step, a barrier each step and another each tenth step.
  const auto run = [](int steps) {
    ThreadCompressor compressor({});
    for (int step = 0; step < steps; ++step) {
      for (int neighbour = 0; neighbour < 4; ++neighbour)
        append(compressor, {1, {0, kFirstPeer + neighbour, neighbour, 8}, {}}, Nanoseconds{100});
      append(compressor, {5, {0, kFirstPeer, step, 8}, {}});
      append(compressor, {0, {0}, {}}, Nanoseconds{50});
      if (step % 10 == 9) append(compressor, {4, {0}, {}});
    }
    return compressor.program();
  };
  const auto small = run(1000), large = run(300'000);
  CHECK(shape(large) == shape(small));
  CHECK(size_of(large) == size_of(small));
  CHECK(shape(large) == "loop(loop(loop(B) F A) E)");
}

TEST_CASE("thread_compressor: sweeps of a wavefront fold whatever their lengths", "[trace-io]") {
  const auto run =
      [](int steps) {  // LU: per step two sweeps over planes, with other end points in each, then a norm now and then
        std::vector<SiteId> sites;
        for (int step = 0; step < steps; ++step) {
          for (int plane = 0; plane < 12; ++plane) sites.insert(sites.end(), {1, 5, 9, 13});
          for (int plane = 0; plane < 12; ++plane) sites.insert(sites.end(), {17, 21, 25, 29});
          sites.insert(sites.end(), {0, 4});
          if (step % 20 == 0) sites.push_back(8);
        }
        return folded(stream_of(sites));
      };
  const auto small = run(100), large = run(2000);
  CHECK(size_of(large) == size_of(small));
  CHECK(node_count(large) == 15);
}

TEST_CASE("thread_compressor: random branches, breaks and counts do not make the program grow",
          "[trace-io]") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const auto nodes = [&](std::size_t limit) {
      return node_count(folded(run_of_random_program(seed, limit).stream));
    };
    const std::size_t small = nodes(4000), large = nodes(16'000);
    INFO("seed " << seed);
    CHECK(large <= small + small / 4 + 10);
  }
}

TEST_CASE("thread_compressor: sites without any order come back, at a bounded cost for each",
          "[trace-io]") {
  // Mispredicted, searched for and appended nearly every time: without its bounds the search would take minutes.
  std::mt19937_64 random(7);
  Stream stream;
  for (int i = 0; i < 50'000; ++i) stream.push_back(event_at(static_cast<SiteId>(random() % 50)));
  CHECK((decoded(folded(stream), 50) == stream));
}

TEST_CASE("thread_compressor: every duration is counted once, under its site and way",
          "[trace-io]") {
  struct Sum {
    std::uint64_t count = 0;
    std::int64_t compute = 0, communicate = 0;
    bool operator==(const Sum&) const = default;
  };
  using Sums = std::map<std::pair<SiteId, SiteId>, Sum>;
  const auto add = [](auto& self, const std::vector<Node>& body, Sums& ways,
                      std::map<SiteId, Sum>& sites) -> void {
    for (const Node& node : body) {
      if (const Loop* loop = std::get_if<Loop>(&node.content)) {
        self(self, loop->body, ways, sites);
        continue;
      }
      const Leaf& leaf = std::get<Leaf>(node.content);
      for (const auto& way : leaf.compute) {
        Sum& sum = ways[{way.predecessor, leaf.site}];
        sum.count += way.classes[0].durations.count();
        sum.compute += way.classes[0].durations.sum().value;
      }
      sites[leaf.site].count += leaf.communicate[0].durations.count();
      sites[leaf.site].communicate += leaf.communicate[0].durations.sum().value;
    }
  };
  for (const Timing timing : {Timing::path, Timing::histogram, Timing::stat}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto [stream, count] = run_of_random_program(seed, 400);
      ThreadCompressor compressor({timing, 5, Rank{3}});
      std::mt19937_64 random(seed);
      Sums expected, found;
      std::map<SiteId, Sum> expected_sites, found_sites;
      SiteId before = kNoSite;
      for (const Event& event : stream) {
        const auto compute = static_cast<std::int64_t>(random() % 1000),
                   communicate = static_cast<std::int64_t>(random() % 100);
        append(compressor, event, Nanoseconds{compute}, Nanoseconds{communicate});
        Sum& way = expected[{before, event.site}];
        ++way.count;
        way.compute += compute;
        ++expected_sites[event.site].count;
        expected_sites[event.site].communicate += communicate;
        if (timing == Timing::path) before = event.site;
      }
      add(add, compressor.program(), found, found_sites);
      INFO("seed " << seed);
      CHECK((found == expected));
      CHECK((found_sites == expected_sites));
    }
  }
}

TEST_CASE("thread_compressor: memory is that of the program, not of the stream", "[trace-io]") {
  const auto bytes = [](int steps) {
    ThreadCompressor compressor({});
    for (int step = 0; step < steps; ++step)
      for (const SiteId site : {0U, 1U, 2U})
        append(compressor, event_at(site), Nanoseconds{step % 17});
    return compressor.memory_bytes();
  };
  CHECK(bytes(100'000) == bytes(1000));
}

TEST_CASE("thread_compressor: events after settle() fold as they do without", "[trace-io]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const StructuredRun run = run_of_random_program(seed, 600);
    ThreadCompressor plain{{}}, settled{{}};
    for (std::size_t i = 0; i < run.stream.size(); ++i) {
      append(plain, run.stream[i]);
      append(settled, run.stream[i]);
      if (i % 37 == seed % 37) {
        settled.settle();
        settled.settle();
      }
    }
    CHECK(settled.events() == plain.events());
    const auto program = settled.program();
    CHECK(shape(program) == shape(plain.program()));
    CHECK(decoded(program, run.sites) == decoded(plain.program(), run.sites));
  }
}

}  // namespace reprise::trace_io::testing
