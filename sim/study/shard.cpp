// SPDX-License-Identifier: MIT
#include "sim/study/shard.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

std::optional<std::uint64_t> number(const Variables& variables, const char* name) {
  const auto text = variables(name);
  if (!text || text->empty()) return std::nullopt;
  return parse_count(*text, name);
}

// A place among equals: ranks, or members of an array.
struct Place {
  std::uint64_t index = 0, count = 1;
  std::string source;
};

Place checked(Place place, const char* index_name, const char* count_name) {
  if (place.count == 0 || place.count > kMostShards)
    throw InputError(
        count_name,
        std::to_string(place.count) + " is not between 1 and " + std::to_string(kMostShards),
        "give it with --shard I/N");
  if (place.index >= place.count)
    throw InputError(index_name,
                     std::to_string(place.index) + " is not below " + count_name + ", which is " +
                         std::to_string(place.count),
                     "give it with --shard I/N");
  return place;
}

Place rank(const Variables& variables) {
  struct Names {
    const char *rank, *size, *source;
  };
  constexpr Names kNames[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI"},
                              {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMIx"},
                              {"PMI_RANK", "PMI_SIZE", "PMI"},
                              {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "Slurm's step"}};
  for (const Names& names : kNames) {
    const auto index = number(variables, names.rank), count = number(variables, names.size);
    if (index && count) return checked({*index, *count, names.source}, names.rank, names.size);
  }
  return {};
}

Place array_member(const Variables& variables) {
  const auto id = number(variables, "SLURM_ARRAY_TASK_ID"),
             count = number(variables, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return {};
  const auto least = number(variables, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const auto step =
      std::max<std::uint64_t>(number(variables, "SLURM_ARRAY_TASK_STEP").value_or(1), 1);
  if (*id < least)
    throw InputError(
        "SLURM_ARRAY_TASK_ID",
        std::to_string(*id) + " is below SLURM_ARRAY_TASK_MIN, which is " + std::to_string(least),
        "give it with --shard I/N");
  return checked({(*id - least) / step, *count, "a Slurm array"}, "SLURM_ARRAY_TASK_ID",
                 "SLURM_ARRAY_TASK_COUNT");
}

// Arrays whose members do not know how many they are. GNU parallel counts only where asked for: as often as shares of one study its
// jobs are studies of their own.
Place counted_member(const Variables& variables, std::optional<std::uint32_t> shards) {
  for (const char* name : {"PBS_ARRAY_INDEX", "PBS_ARRAYID", "PARALLEL_SEQ"}) {
    const auto index = number(variables, name);
    if (index && shards) return {*index % *shards, *shards, name};
    if (index && std::string_view(name) != "PARALLEL_SEQ")
      throw InputError(name, "is set, but not how many members the array has",
                       "give it with --shards N, or both with --shard I/N");
  }
  return {};
}

}  // namespace

Shard parse_shard(std::string_view text, const std::string& where) {
  std::uint32_t index = 0, count = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, index);
  const bool has_slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, end, count) : first;
  if (!has_slash || second.ec != std::errc{} || second.ptr != end)
    throw InputError(where, '"' + std::string(text) + "\" is not a share",
                     "write I/N such as 3/8, the third of eight");
  if (index < 1 || index > count || count > kMostShards)
    throw InputError(where, "there is no share " + std::string(text),
                     "the first of eight is 1/8, the last 8/8");
  return {index - 1, count, where};
}

Shard shard_from_environment(const Variables& variables, std::optional<std::uint32_t> shards) {
  const Place ranks = rank(variables), slurm = array_member(variables);
  const Place array = slurm.source.empty() ? counted_member(variables, shards) : slurm;
  const bool has_both = !array.source.empty() && !ranks.source.empty();
  if (shards) {
    const Place& counted = array.source.empty() ? ranks : array;
    if (counted.source.empty())
      throw InputError(
          "--shards",
          "it is unknown which of the " + std::to_string(*shards) + " shares is for this process",
          "give it with --shard I/N");
    if (counted.count != *shards)
      throw InputError("--shards",
                       std::to_string(*shards) + ", but " + counted.source + " says " +
                           std::to_string(counted.count),
                       "leave it out, or give the share with --shard I/N");
  }
  const Place whole =
      checked({array.index * ranks.count + ranks.index, array.count * ranks.count, ""}, "the share",
              "the number of shares");
  return {static_cast<std::uint32_t>(whole.index), static_cast<std::uint32_t>(whole.count),
          array.source + (has_both ? " and " : "") + ranks.source};
}

std::vector<std::size_t> share_of(const Shard& shard, const std::vector<std::string_view>& keys) {
  std::vector<std::size_t> by_key(keys.size());
  std::iota(by_key.begin(), by_key.end(), std::size_t{0});
  std::sort(by_key.begin(), by_key.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<std::size_t> share;
  for (std::size_t i = shard.index; i < by_key.size(); i += shard.count) share.push_back(by_key[i]);
  std::sort(share.begin(), share.end());
  return share;
}

}  // namespace reprise::sim
