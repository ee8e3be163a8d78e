// SPDX-License-Identifier: MIT
// How a command line starts an MPI program, and how variables are handed to its ranks.
//
// Open MPI's mpirun gets `-x NAME=VALUE`, Hydra's (MPICH) `-genv NAME VALUE`, srun `--export=ALL,NAME=VALUE,…` — so that ranks on
// other nodes get them and the launcher itself does not load the recorder. Anything else inherits our environment.
// Open MPI's -x holds for one program of `mpirun -n 1 ./a : -n 1 ./b`, so it is repeated after each colon.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/application.hpp"
#include "sim/cli/child.hpp"

namespace reprise::cli {

enum class LauncherKind { none, open_mpi, hydra, srun };

struct Launch {
  std::vector<std::string> command;  // as given
  LauncherKind launcher = LauncherKind::none;
  std::optional<std::size_t>
      application;  // position in the command of the first program that is not a launcher
  bool names_a_program = false;  // some word after the launcher can be run
  bool finds_programs_elsewhere =
      false;      // in a file of commands or another folder, which only the launcher knows
  int ranks = 0;  // what -n or -np says; 0 where nothing does
};

// REQUIRES: the command is not empty.
Launch understand(const std::vector<std::string>& command);

// The command with the variables for the ranks worked in. What cannot be worked in is left in `rest`, for our environment.
std::vector<std::string> with_variables(const Launch&, const Environment& variables,
                                        Environment& rest);

}  // namespace reprise::cli
