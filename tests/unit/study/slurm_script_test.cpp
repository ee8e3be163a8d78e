// SPDX-License-Identifier: MIT
#include "sim/study/slurm_script.hpp"

#include <catch2/catch.hpp>

using namespace reprise::sim;

TEST_CASE("slurm script: each member does its own share, whichever are submitted", "[study]") {
  CHECK(slurm_script({"/opt/bin/reprise", "/home/ada/my study.json", "/scratch/ada",
                      "which machine?", 8, 4, 2, "1:00:00", "short", "phys", "4G"}) ==
        R"(#!/bin/bash
# Submit with sbatch THIS_FILE, as often as needed: finished simulations are not repeated.
# Progress, and the results when all are done:
#   /opt/bin/reprise study status '/home/ada/my study.json' -o /scratch/ada
#   /opt/bin/reprise study merge '/home/ada/my study.json' -o /scratch/ada
#SBATCH --job-name=reprise-which_machine_
#SBATCH --array=0-7%4
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --time=1:00:00
#SBATCH --partition=short
#SBATCH --account=phys
#SBATCH --mem=4G
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=/scratch/ada/slurm-%A_%a.log
exec /opt/bin/reprise study '/home/ada/my study.json' -o /scratch/ada -j 2 --shard $((SLURM_ARRAY_TASK_ID + 1))/8
)");
}

TEST_CASE("slurm script: the largest array is read from Slurm's own words", "[study]") {
  CHECK(largest_array("MailProg                = /bin/mail\nMaxArraySize            = "
                      "1001\nMaxBatchRequeue         = 5\n") == 1001);
  CHECK(largest_array("slurm_load_ctl_conf error: Unable to contact slurm controller\n") == 0);
  CHECK(largest_array("") == 0);
}

TEST_CASE("slurm script: words are quoted where a shell needs it", "[study]") {
  CHECK(shell_word("/a/b-c_d.json") == "/a/b-c_d.json");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
