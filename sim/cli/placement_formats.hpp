// SPDX-License-Identifier: MIT
// A placement as the launchers of a real machine take it.
//
// hostfile  Open MPI's: a host and its slots a line, in the order of ranks. Only for placements whose nodes have consecutive ranks each.
// rankfile  Open MPI's: "rank 0=HOST slot=0"; slots are cores, counted on each node.
// slurm     a host a line for each rank in order: SLURM_HOSTFILE of srun --distribution=arbitrary, and MPICH's mpiexec -f.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"

namespace reprise::cli {

// By node: the platform's own names, else numbers.
std::vector<std::string> host_names(const platforms::Platform&);
// By node: the first word of each line of a file; `#` begins a comment. Throws InputError: no such file, a host named twice.
std::vector<std::string> read_host_names(const std::string& path);

bool is_launcher_format(const std::string& format);

// FORMAT: one of the above. HOSTS come from WHERE. Throws InputError where a node has no name, and where a hostfile cannot say it.
std::string launcher_text(const std::string& format,
                          const std::vector<platforms::RankLocation>& places,
                          const std::vector<std::string>& hosts, const std::string& where);

}  // namespace reprise::cli
