// SPDX-License-Identifier: MIT
// Which share of a study's simulations this process has, when several processes work on it.
//
// Shares  the simulations in the order of their keys, dealt out in turn: the order is as good as random, so that shares take equally
//         long, and every process finds its own without asking anybody.
// Found   from the first of these that says something; ranks and the array's members multiply (an array of 4 that each start 8 ranks: 32):
//         1. `--shard I/N`
//         2. ranks: Open MPI (OMPI_COMM_WORLD_RANK/_SIZE), PMIx (PMIX_RANK; the size from Slurm), Hydra's PMI (PMI_RANK, PMI_SIZE),
//            srun (SLURM_PROCID, SLURM_STEP_NUM_TASKS). Slurm's last: in a batch job mpirun's ranks all have SLURM_PROCID 0.
//         3. a Slurm array (SLURM_ARRAY_TASK_ID with _MIN, _COUNT and _STEP)
//         4. with `--shards N`: a PBS array (PBS_ARRAY_INDEX, PBS_ARRAYID) or GNU parallel (PARALLEL_SEQ), which do not say how many there are.
//            Their numbers count modulo N, so that arrays may begin at 0 or at 1.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::sim {

struct Shard {
  std::uint32_t index = 0, count = 1;
  std::string source;  // what said so: "--shard", "a Slurm array"; empty: nothing did
  friend bool operator==(const Shard&, const Shard&) = default;
};

// A variable of the environment, none where it is not set.
using Variables = std::function<std::optional<std::string>(const char* name)>;

// "3/8" is the third of eight. Throws InputError{WHERE, …}.
Shard parse_shard(std::string_view text, const std::string& where);
// SHARDS: what --shards says. Throws InputError where variables make no sense or do not say enough.
Shard shard_from_environment(const Variables&, std::optional<std::uint32_t> shards);

// Of ITEMS keys those of the shard, as positions in KEYS, in ascending order.
std::vector<std::size_t> share_of(const Shard&, const std::vector<std::string_view>& keys);

}  // namespace reprise::sim
