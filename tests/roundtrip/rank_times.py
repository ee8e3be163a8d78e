#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a rank spent inside MPI stays its own: the exported mpiP report of a recording agrees with timers in the same run.

usage: rank_times.py --bin FOLDER --launcher MPIRUN PROGRAM (rank_times.c; its timers are in PROGRAM.module.so)

Two ranks wait for each other so that waits scatter more than the ranks differ. Timers beneath the recorder time each call of each rank. The report agrees with them
in each rank's MPITime to 1 % (and 1 ms, for what the recorder itself takes in 801 calls), and at each call to 1 % of the rank's MPITime (and 1 ms). A rank's
AppTime is the recorded run time to 3 %, of which the recorder takes a part. Others that take a core between two clock readings disturb a recording; so one that does not agree is
made again, RECORDINGS times at most.
"""
import os
import pathlib
import re
import sys
import tempfile

import recordings
from recordings import failures

RANKS, RECORDINGS = 2, 4
APART, SLACK = 0.01, 1e-3  # of a rank's time in MPI; s


def timed(lines):
    """By rank and procedure: s."""
    told = (re.fullmatch(r"rank (\d) (\w+) ([\d.]+)", line) for line in lines)
    return {(int(found[1]), found[2]): float(found[3]) for found in told if found}


def reported(report):
    """By rank and procedure, AppTime and MPITime among them: s."""
    times = {}
    section = ""
    for line in report.splitlines():
        section = line if line.startswith("@---") else section
        row = line.split()
        if "MPI Time" in section and len(row) == 4 and row[0].isdigit():
            times[int(row[0]), "AppTime"], times[int(row[0]), "MPITime"] = float(row[1]), float(row[2])
        if "Callsite Time" in section and len(row) == 9 and row[2].isdigit():
            key = int(row[2]), row[0]
            times[key] = times.get(key, 0) + int(row[3]) * float(row[5]) * 1e-3
    return times


def compare(options, folder):
    """What does not agree, as sentences."""
    wrong = []
    theirs = timed(recordings.record(options, folder, "run.reprise", ["--force"], RANKS))
    run_time = recordings.info_of(options, folder, "run.reprise")["elapsed_s"]
    ours = reported(recordings.run([options.reprise, "export", "run.reprise", "--format", "mpip", "-o", "-"], folder))
    for rank in range(RANKS):
        spent = {name: time for (one, name), time in theirs.items() if one == rank and name != "ran"}
        inside = sum(spent.values())
        spent["MPITime"] = inside
        for name, time in spent.items():
            if abs(ours.get((rank, name), 0) - time) > APART * inside + SLACK:
                wrong.append(f"rank {rank}, {name}: {ours.get((rank, name))} s reported, {time} s by its timers")
        if abs(ours[rank, "AppTime"] - run_time) > 0.03 * run_time:
            wrong.append(f"rank {rank}: AppTime of {ours[rank, 'AppTime']} s in a run of {run_time} s")
    return wrong


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    os.environ["LD_PRELOAD"] = f"{options.program}.module.so"
    os.environ["REPRISE_SNAPSHOT"] = "0"
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RECORDINGS):
            wrong = compare(options, pathlib.Path(folder))
            print("\n".join(wrong or ["agrees"]))
            if not wrong:
                break
    failures.extend(wrong)
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
