// SPDX-License-Identifier: MIT
#include "trace-io/merge/tables.hpp"

#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/merge/merge.hpp"

namespace reprise::trace_io::testing {
namespace {

Trace empty_trace(std::int32_t rank) {
  Trace trace;
  trace.header.ranks = 8;
  trace.header.bins = 5;
  trace.header.recorded = RankList::single(Rank{rank});
  return trace;
}

RankList only(std::int32_t rank) { return RankList::single(Rank{rank}); }

Communicator of_pairs(std::int64_t first, std::uint32_t copy) {
  Communicator communicator;
  communicator.groups.resize(1);
  communicator.groups[0].append_run(first, 1, 2);
  communicator.copy = copy;
  return communicator;
}

std::string error_of(const Trace& a, const Trace& b) {
  try {
    merge(a, b);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("tables: merging took the longest time of either side, and the CPU time of both",
          "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.header.merge_elapsed = Nanoseconds{7};
  one.header.merge_cpu = Nanoseconds{5};
  other.header.merge_elapsed = Nanoseconds{9};
  other.header.merge_cpu = Nanoseconds{4};
  const Trace both = merge(one, other);
  CHECK(both.header.merge_elapsed == Nanoseconds{9});
  CHECK(both.header.merge_cpu == Nanoseconds{9});
}

TEST_CASE("tables: traces of jobs of different sizes are refused", "[merge]") {
  Trace other = empty_trace(1);
  other.header.ranks = 4;
  CHECK(error_of(empty_trace(0), other) ==
        "merging rank 0 with rank 1: the number of ranks differs: 8 and 4\n  merge the traces of "
        "one run of one job only");
}

TEST_CASE("tables: traces with different timing are refused", "[merge]") {
  Trace other = empty_trace(1);
  other.header.timing = Timing::histogram;
  CHECK(error_of(empty_trace(0), other) ==
        "merging rank 0 with rank 1: the timing differs: \"path\" and \"histogram\"\n"
        "  merge the traces of one run of one job only");
}

TEST_CASE("tables: traces by different clocks are refused", "[merge]") {
  Trace other = empty_trace(1);
  other.header.clock = Clock::cpu;
  CHECK(error_of(empty_trace(0), other) ==
        "merging rank 0 with rank 1: the clock differs: \"wall\" and \"cpu\"\n  merge the traces "
        "of one run of one job only");
}

TEST_CASE("tables: traces whose histograms follow different rules are refused", "[merge]") {
  Trace other = empty_trace(1);
  other.header.bin_rule = BinRule::balanced_exact;
  CHECK(error_of(empty_trace(0), other) ==
        "merging rank 0 with rank 1: the rule of histograms differs: \"ward\" and "
        "\"balanced_exact\"\n"
        "  merge the traces of one run of one job only");
}

TEST_CASE("tables: traces with different histograms are refused", "[merge]") {
  Trace other = empty_trace(1);
  other.header.bins = 10;
  CHECK(error_of(empty_trace(0), other) ==
        "merging rank 0 with rank 1: the number of histogram bins differs: 5 and 10\n"
        "  merge the traces of one run of one job only");
}

TEST_CASE("tables: traces that hold the same rank are refused", "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.header.recorded = RankList::from_ranks({Rank{0}, Rank{1}, Rank{2}, Rank{3}});
  other.header.recorded = RankList::from_ranks({Rank{2}, Rank{3}, Rank{4}});
  CHECK(error_of(one, other) ==
        "merging rank 0-3 with rank 2-4: both traces hold rank 2-3\n  merge the traces of one run "
        "of one job only");
}

TEST_CASE("tables: headers unite what was recorded", "[merge]") {
  Trace one = empty_trace(1), other = empty_trace(0);
  one.header.elapsed = Nanoseconds{500};
  other.header.elapsed = Nanoseconds{400};
  one.header.program = "worker";
  other.header.program = "master";
  one.header.complete = false;
  one.header.hosts = {{"n1", 4, only(1)}};
  other.header.hosts = {{"n0", 8, only(0)}};
  const Header both = merge(one, other).header;
  CHECK(both.recorded.text() == "0-1");
  CHECK(both.elapsed == Nanoseconds{500});
  CHECK_FALSE(both.complete);
  CHECK(both.program == "master");  // that of the lowest rank
  REQUIRE(both.hosts.size() == 2);
  CHECK(both.hosts[0].name == "n0");
  CHECK(both.hosts[1].cores == 4);
}

TEST_CASE("tables: one host's ranks come together", "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.header.hosts = {{"n0", 8, only(0)}};
  other.header.hosts = {{"n0", 8, only(1)}};
  const Header both = merge(one, other).header;
  REQUIRE(both.hosts.size() == 1);
  CHECK(both.hosts[0].ranks.text() == "0-1");
}

TEST_CASE("tables: losses of one name add up, and the worst severity stands", "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.losses = {{"a", Severity::notice, 2, Nanoseconds{10}},
                {"c", Severity::error, 1, Nanoseconds{1}}};
  other.losses = {{"a", Severity::partial, 3, Nanoseconds{5}},
                  {"b", Severity::notice, 7, Nanoseconds{0}}};
  const std::vector<Loss> losses = merge(one, other).losses;
  REQUIRE(losses.size() == 3);
  CHECK(losses[0].name == "a");
  CHECK(losses[0].count == 5);
  CHECK(losses[0].time == Nanoseconds{15});
  CHECK(losses[0].severity == Severity::partial);
  CHECK(losses[1].name == "b");
  CHECK(losses[2].name == "c");
}

TEST_CASE("tables: equal rows become one whatever their numbers, and sites are renumbered",
          "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.procedures = {"MPI_Send", "MPI_Recv"};
  one.modules = {{"app", "1"}, {"libm", "2"}};
  one.call_paths = {{{{0, 16}, {1, 32}}}, {{{0, 48}}}};
  one.frame_names = {{{1, 32}, "sin", "sin.c", 3}};
  one.sites = {{0, 0}, {1, 1}};
  other.procedures = {"MPI_Recv", "MPI_Bcast", "MPI_Send"};
  other.modules = {{"libm", "2"}, {"app", "1"}};
  other.call_paths = {{{{1, 48}}}, {{{1, 16}, {0, 32}}}};
  other.frame_names = {{{0, 32}, "sin", "sin.c", 3}, {{1, 48}, "main", "app.c", 9}};
  other.sites = {{0, 0}, {1, 1}, {2, 1}};  // Recv at 48, Bcast at 16, Send at 16
  RankUnions unions;
  const std::vector<SiteId> numbers = unite_tables(one, other, unions);
  CHECK(numbers == std::vector<SiteId>{1, 2, 0});
  CHECK(one.procedures == std::vector<std::string>{"MPI_Send", "MPI_Recv", "MPI_Bcast"});
  CHECK(one.modules.size() == 2);
  CHECK(one.call_paths.size() == 2);
  CHECK(one.sites == std::vector<Site>{{0, 0}, {1, 1}, {2, 0}});
  REQUIRE(one.frame_names.size() == 2);
  CHECK(one.frame_names[0].function == "main");
  CHECK(one.frame_names[1].function == "sin");
}

TEST_CASE("tables: communicators are equal by members and copy, under any index", "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.communicators = {of_pairs(0, 0), of_pairs(0, 1)};
  one.communicator_indices = {{{only(0), 0}}, {{only(0), 1}}};
  other.communicators = {of_pairs(0, 1), of_pairs(2, 0), of_pairs(0, 0)};
  other.communicator_indices = {{{only(1), 2}}, {{only(1), 1}}, {{only(1), 0}}};
  RankUnions unions;
  unite_tables(one, other, unions);
  CHECK(one.communicators.size() == 3);
  REQUIRE(one.communicator_indices.size() == 3);
  REQUIRE(one.communicator_indices[0].size() == 1);  // both mean the first pair
  CHECK(one.communicator_indices[0][0].ranks.text() == "0-1");
  REQUIRE(one.communicator_indices[1].size() == 2);
  CHECK(one.communicator_indices[1][0].communicator == 1);
  CHECK(one.communicator_indices[1][1].communicator == 2);
  REQUIRE(one.communicator_indices[2].size() == 1);
  CHECK(one.communicator_indices[2][0].communicator == 1);
}

TEST_CASE("tables: hosts and uses of communicators are found wherever they stand", "[merge]") {
  Trace one = empty_trace(0), other = empty_trace(1);
  one.header.hosts = {{"n0", 8, only(0)}, {"n2", 2, only(2)}, {"n4", 4, only(4)}};
  other.header.hosts = {{"n2", 6, only(3)}, {"n4", 1, only(1)}};
  one.communicators = {of_pairs(0, 0), of_pairs(2, 0)};
  one.communicator_indices = {{{only(0), 0}, {only(2), 1}}};
  other.communicators = {of_pairs(2, 0)};
  other.communicator_indices = {{{only(3), 0}}};
  RankUnions unions;
  unite_tables(one, other, unions);
  REQUIRE(one.header.hosts.size() == 3);
  CHECK(one.header.hosts[0].ranks.text() == "0");
  CHECK(one.header.hosts[1].name == "n4");  // in the order of their lowest ranks
  CHECK(one.header.hosts[1].ranks.text() == "1,4");
  CHECK(one.header.hosts[1].cores == 4);
  CHECK(one.header.hosts[2].ranks.text() == "2-3");
  CHECK(one.header.hosts[2].cores == 6);
  REQUIRE(one.communicators.size() == 2);
  REQUIRE(one.communicator_indices[0].size() == 2);
  CHECK(one.communicator_indices[0][1].ranks.text() == "2-3");
}

}  // namespace
}  // namespace reprise::trace_io::testing
