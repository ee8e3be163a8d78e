// SPDX-License-Identifier: MIT
#include "sim/study/shard.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "trace-io/base/error.hpp"

using reprise::InputError;
using namespace reprise::sim;

namespace {

Shard shard_in(const std::map<std::string, std::string>& environment,
               std::optional<std::uint32_t> shards = std::nullopt) {
  const auto variables = [&](const char* name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  return shard_from_environment(variables, shards);
}

std::string refusal(const std::map<std::string, std::string>& environment,
                    std::optional<std::uint32_t> shards = std::nullopt) {
  try {
    shard_in(environment, shards);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("shard: I/N counts from one", "[study]") {
  CHECK(parse_shard("1/1", "--shard") == Shard{0, 1, "--shard"});
  CHECK(parse_shard("3/8", "--shard") == Shard{2, 8, "--shard"});
  CHECK_THROWS_WITH(parse_shard("0/8", "--shard"),
                    "--shard: there is no share 0/8\n  the first of eight is 1/8, the last 8/8");
  CHECK_THROWS_WITH(parse_shard("9/8", "--shard"),
                    "--shard: there is no share 9/8\n  the first of eight is 1/8, the last 8/8");
  for (const char* text : {"", "3", "3/", "/8", "3/8x", "-1/8", "3 / 8"})
    CHECK_THROWS_WITH(parse_shard(text, "--shard"),
                      "--shard: \"" + std::string(text) +
                          "\" is not a share\n  write I/N such as 3/8, the third of eight");
}

TEST_CASE("shard: without a word of anybody it is everything", "[study]") {
  CHECK(shard_in({}) == Shard{0, 1, ""});
  CHECK(shard_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}) ==
        Shard{0, 1, ""});  // a batch job's own shell
}

TEST_CASE("shard: ranks are found whoever started them, Slurm's number last", "[study]") {
  CHECK(shard_in({{"OMPI_COMM_WORLD_RANK", "3"},
                  {"OMPI_COMM_WORLD_SIZE", "4"},
                  {"PMIX_RANK", "3"},
                  {"SLURM_PROCID", "0"},
                  {"SLURM_STEP_NUM_TASKS", "1"}}) == Shard{3, 4, "Open MPI"});
  CHECK(shard_in({{"PMIX_RANK", "5"}, {"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}}) ==
        Shard{5, 6, "PMIx"});
  CHECK(shard_in({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}) == Shard{1, 2, "PMI"});
  CHECK(shard_in({{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "3"}}) ==
        Shard{2, 3, "Slurm's step"});
}

TEST_CASE("shard: a Slurm array counts from its least number in its steps", "[study]") {
  const std::map<std::string, std::string> array{{"SLURM_ARRAY_TASK_ID", "7"},
                                                 {"SLURM_ARRAY_TASK_MIN", "1"},
                                                 {"SLURM_ARRAY_TASK_MAX", "9"},
                                                 {"SLURM_ARRAY_TASK_COUNT", "5"},
                                                 {"SLURM_ARRAY_TASK_STEP", "2"}};
  CHECK(shard_in(array) == Shard{3, 5, "a Slurm array"});
  auto with_ranks = array;
  with_ranks.insert({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  CHECK(shard_in(with_ranks) == Shard{3 * 4 + 1, 20, "a Slurm array and Open MPI"});
}

TEST_CASE("shard: every member of an array with ranks has another share", "[study]") {
  std::set<std::uint32_t> seen;
  for (int member = 0; member < 3; ++member)
    for (int rank = 0; rank < 4; ++rank)
      seen.insert(shard_in({{"SLURM_ARRAY_TASK_ID", std::to_string(member)},
                            {"SLURM_ARRAY_TASK_MIN", "0"},
                            {"SLURM_ARRAY_TASK_COUNT", "3"},
                            {"PMI_RANK", std::to_string(rank)},
                            {"PMI_SIZE", "4"}})
                      .index);
  CHECK(seen.size() == 12);
  CHECK(*seen.rbegin() == 11);
}

TEST_CASE("shard: PBS and GNU parallel need to be told how many there are", "[study]") {
  CHECK(shard_in({{"PBS_ARRAY_INDEX", "0"}}, 4).index == 0);
  CHECK(shard_in({{"PBS_ARRAYID", "4"}}, 4).index == 0);
  CHECK(shard_in({{"PARALLEL_SEQ", "3"}}, 4) == Shard{3, 4, "PARALLEL_SEQ"});
  CHECK(shard_in({{"PARALLEL_SEQ", "3"}}) == Shard{0, 1, ""});  // other studies may be its jobs
  CHECK(refusal({{"PBS_ARRAY_INDEX", "2"}}) ==
        "PBS_ARRAY_INDEX: is set, but not how many members the array has\n  give it with --shards "
        "N, or both with --shard I/N");
}

TEST_CASE("shard: variables that make no sense are refused", "[study]") {
  CHECK(refusal({{"PMI_RANK", "4"}, {"PMI_SIZE", "4"}}) ==
        "PMI_RANK: 4 is not below PMI_SIZE, which is 4\n  give it with --shard I/N");
  CHECK(refusal({{"PMI_RANK", "0"}, {"PMI_SIZE", "0"}}) ==
        "PMI_SIZE: 0 is not between 1 and 1000000\n  give it with --shard I/N");
  CHECK(refusal({{"SLURM_ARRAY_TASK_ID", "1"},
                 {"SLURM_ARRAY_TASK_MIN", "2"},
                 {"SLURM_ARRAY_TASK_COUNT", "3"}}) ==
        "SLURM_ARRAY_TASK_ID: 1 is below SLURM_ARRAY_TASK_MIN, which is 2\n  give it with --shard "
        "I/N");
  CHECK(refusal({}, 4) ==
        "--shards: it is unknown which of the 4 shares is for this process\n  give it with --shard "
        "I/N");
  CHECK(refusal({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}, 4) ==
        "--shards: 4, but PMI says 2\n  leave it out, or give the share with --shard I/N");
}

TEST_CASE("shard: shares are disjoint, together everything, and equal but for one", "[study]") {
  const std::vector<std::string_view> keys{"d", "a", "c", "g", "b", "f", "e"};
  std::vector<std::size_t> together;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto share = share_of({i, 3, ""}, keys);
    CHECK((share.size() == 2 || share.size() == 3));
    CHECK(std::is_sorted(share.begin(), share.end()));
    together.insert(together.end(), share.begin(), share.end());
  }
  std::sort(together.begin(), together.end());
  CHECK(together == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  CHECK(share_of({0, 3, ""}, keys) ==
        std::vector<std::size_t>{0, 1, 3});  // d, a, g: first, fourth and seventh by key
}
