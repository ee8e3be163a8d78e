#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What recording adds to a program's CPU time, between MPI_Init and MPI_Finalize, measured within its runs.

usage: run.py --at PROCEDURE --each N [--pairs N] [--ranks N] BUILD_FOLDER PROGRAM…

The program is recorded in turns (switching.cpp): for N calls of the procedure it is, for the next N it is not. Of the two runs of a pair one records what the other
does not, so that the same work is compared, and both kinds of stretches of a run meet the same machine. The procedure has to be one that each rank calls as often in
every run; a number that fits the program's steps disturbs the finding of loops least: each turn makes the recorder look for its place again, which counts as its
cost. Printed are the mean of the pairs and its standard error. Beside it comes what MPI_Init and MPI_Finalize take (`reprise trace info` has the latter).
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


def turns(options, first, folder):
    """Of each rank: (recorded, CPU seconds, wall-clock seconds) of each stretch between its first turn and its last."""
    log = folder / f"turns-{first}"
    variables = {
        "LD_PRELOAD": f"{options.build / 'lib/libswitching.so'}:{options.build / 'lib/libreprise-recorder.so'}",
        "REPRISE_OUTPUT": str(folder / "run.reprise"),
        "SWITCHING_AT": options.at,
        "SWITCHING_EACH": str(options.each),
        "SWITCHING_FIRST": str(first),
        "SWITCHING_LOG": str(log),
    }
    command = ["mpirun", "-n", str(options.ranks)]
    for name, value in variables.items():
        command += ["-x", f"{name}={value}"]
    environment = dict(
        os.environ,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
    )
    done = subprocess.run(command + options.program, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"run.py: the program ended with status {done.returncode}:\n{done.stderr}")
    ranks = []
    for rank in range(options.ranks):
        path = pathlib.Path(f"{log}.{rank}")
        if not path.exists():
            sys.exit(
                f"run.py: rank {rank} calls {options.at} fewer than {options.each} times: choose another procedure, or a smaller --each"
            )
        rows = [[float(field) for field in line.split()] for line in path.read_text().splitlines()]
        path.unlink()
        ranks.append([(int(b[0]), b[1] - a[1], b[2] - a[2]) for a, b in zip(rows, rows[1:])])
    return ranks


def more(ranks, kind):
    """The logarithm of what recorded stretches take, over what the others do."""
    taken = [sum(stretch[kind] for rank in ranks for stretch in rank if stretch[0] == recorded) for recorded in (0, 1)]
    return math.log(taken[1] / taken[0])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--at", required=True)
    parser.add_argument("--each", type=int, required=True)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.build = options.build.resolve()
    cpu, wall, taken, stretches = [], [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(options.pairs):
            order = (1, 0) if pair % 2 == 0 else (0, 1)
            runs = {first: turns(options, first, pathlib.Path(folder)) for first in order}
            if [len(rank) for rank in runs[0]] != [len(rank) for rank in runs[1]]:
                sys.exit(
                    f"run.py: the number of calls of {options.at} differs from run to run: choose another procedure"
                )
            stretches = min(len(rank) for rank in runs[0])
            if stretches < 4:
                sys.exit(f"run.py: {stretches} stretches are too few: choose a smaller --each")
            cpu.append((more(runs[0], 1) + more(runs[1], 1)) / 2)
            wall.append((more(runs[0], 2) + more(runs[1], 2)) / 2)
            taken.append(sum(stretch[1] for rank in runs[0] for stretch in rank))
    print(
        f"{options.pairs} pairs, {options.ranks} ranks, {stretches} stretches, {statistics.median(taken):.2f} s of CPU time in all"
    )
    for name, values in (("CPU time", cpu), ("wall-clock time", wall)):
        error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        print(
            f"{name}: {100 * statistics.mean(values):+.2f} %, standard error {100 * error:.2f}, median {100 * statistics.median(values):+.2f}"
        )


if __name__ == "__main__":
    main()
