#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Imbalance survives: a program whose ranks compute unequally long is recorded, and the replay gives every rank its own time.

usage: imbalance.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM one|two|gradient

Of every rank the replayed compute time is within 2 % of what the program itself measured, with mean and with distributed durations, but
for what recording adds to all ranks alike (the median rank's difference); all ranks together compute what the trace's sums say, to 1e-12.
A program cannot measure quite what is recorded: a rank that loses its caches between its clock reading and the recorder's is off by
that. So one recording of three has to agree in all ranks. (Without that noise: tests/unit/trace-io/merge/settle_test.cpp.)
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ATTEMPTS = 3

def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recorded_seconds(dump):
    """All compute times of a dump, which are sums but for ways that were taken once."""
    nanoseconds = 0
    for line in dump.splitlines():
        if "| compute" in line and "MPI_Init" not in line:
            sums = re.findall(r" sum=(\d+)", line)
            if not sums:
                sys.exit(f"a compute time without a sum: {line}")
            nanoseconds += sum(map(int, sums))
    return nanoseconds * 1e-9


def attempt_once(options, reprise):
    """The ranks whose replayed time is not what they measured; ends the test where the total is wrong."""
    disturbed = []
    with tempfile.TemporaryDirectory() as folder:
        told = run([reprise, "record", "--clock", "cpu", "-o", "run.reprise", "--", options.launcher, "-n", options.ranks,
                    options.program.resolve(), options.mode], folder)
        measured = {int(rank): float(seconds) for rank, seconds in re.findall(r"rank (\d+) computed ([\d.]+)", told)}
        if len(measured) != options.ranks:
            sys.exit(f"{len(measured)} ranks told their times")
        recorded = recorded_seconds(run([reprise, "trace", "dump", "run.reprise"], folder))
        for deltas in ("mean", "distribution"):
            outcome = json.loads(run([reprise, "replay", "run.reprise", "--platform", "infiniband-edr", "--deltas", deltas,
                                      "--format", "json"], folder))
            replayed = {rank["rank"]: rank["compute_s"] for rank in outcome["ranks"]}
            total_error = sum(replayed.values()) / recorded - 1
            if abs(total_error) > 1e-12:
                sys.exit(f"{deltas}: all ranks compute {total_error:+.2e} of what was recorded")
            ratios = {rank: replayed[rank] / seconds for rank, seconds in measured.items()}
            errors = {rank: ratio / statistics.median(ratios.values()) - 1 for rank, ratio in ratios.items()}
            disturbed += [f"{deltas}: rank {rank} computes {error:+.2%} of what it measured" for rank, error in errors.items()
                          if abs(error) > 0.02]
            print(f"{deltas}: worst rank {max(map(abs, errors.values())):.2%}, total {total_error:+.1e}, "
                  f"{os.path.getsize(os.path.join(folder, 'run.reprise'))} bytes")
    return disturbed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("mode")
    options = parser.parse_args()
    reprise = options.bin.resolve() / "reprise"
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    for attempt in range(ATTEMPTS):
        disturbed = attempt_once(options, reprise)
        if not disturbed:
            return 0
        print("\n".join(disturbed))
    return 1


if __name__ == "__main__":
    sys.exit(main())
