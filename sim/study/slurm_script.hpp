// SPDX-License-Identifier: MIT
// A batch script that has a Slurm array do a study.
//
// Each member of the array does one share, told to it by --shard, so that a member which is submitted again alone (`sbatch --array=3`)
// does its own. What has been done stays done: the script may be submitted as often as needed. A member whose time runs out is
// told a minute before, finishes what runs and keeps it.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::sim {

struct SlurmArray {
  std::string reprise, study, folder;  // absolute paths
  std::string name;                    // of the study
  std::uint32_t members = 1;
  std::uint32_t at_most = 0;                     // members at a time; 0: as Slurm likes
  std::uint32_t jobs = 1;                        // simulations at a time, and cores, of a member
  std::string time, partition, account, memory;  // as sbatch takes them; empty: left to the site
};

std::string slurm_script(const SlurmArray&);

// MaxArraySize in what `scontrol show config` prints: arrays may have so many members. 0 where it says nothing.
std::uint32_t largest_array(const std::string& scontrol_output);

// For a shell, quoted where needed.
std::string shell_word(const std::string&);

}  // namespace reprise::sim
