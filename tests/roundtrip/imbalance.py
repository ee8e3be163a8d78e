#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Imbalance survives: a program whose ranks compute unequally long is recorded, and the replay gives every rank its own time.

usage: imbalance.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM one|two|gradient

The trace cannot be written, because a folder stands where it should be, so every rank keeps what it recorded: the exact times of each rank,
before they are merged. What is merged of them then replays every rank's own compute time to 2 %, with mean and with distributed
durations, and that of all ranks together to 1e-12. What the ranks recorded is what the program itself measured, to 5 % for the median
rank: a single one that loses its caches between its clock reading and the recorder's is off by that.
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


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recorded_seconds(dump):
    """All compute times of a dump: sums, or the time of the only call."""
    nanoseconds = 0
    for line in dump.splitlines():
        if "| compute" in line:
            times = [int(sum) for sum in re.findall(r" sum=(\d+)", line)]
            for number, unit in re.findall(r"compute(?: after @\d+)? (\d+)(ns|us|ms|s)$", line):
                times.append(int(number) * {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}[unit])
            if not times:
                sys.exit(f"a compute time without a sum: {line}")
            nanoseconds += sum(map(int, times))
    return nanoseconds * 1e-9


def compare(options, folder):
    """What is wrong, as sentences."""
    reprise = options.bin.resolve() / "reprise"
    (folder / "run.reprise").mkdir()
    recorder = options.bin.resolve().parent / "lib" / "libreprise-recorder.so"
    told = run(
        [
            options.launcher,
            "-n",
            options.ranks,
            "env",
            f"LD_PRELOAD={recorder}",
            "REPRISE_CLOCK=cpu",
            "REPRISE_OUTPUT=run.reprise",
            options.program.resolve(),
            options.mode,
        ],
        folder,
    )
    measured = {int(rank): float(seconds) for rank, seconds in re.findall(r"rank (\d+) computed ([\d.]+)", told)}
    if sorted(measured) != list(range(options.ranks)):
        return [f"{len(measured)} ranks told their times"]
    recorded = {
        rank: recorded_seconds(run([reprise, "trace", "dump", f"run.reprise.parts/rank-{rank}.part"], folder))
        for rank in measured
    }
    wrong = []
    typical = statistics.median(recorded[rank] / measured[rank] for rank in measured) - 1
    if abs(typical) > 0.05:
        wrong.append(f"the median rank recorded {typical:+.2%} of what it measured")
    run([reprise, "trace", "salvage", "run.reprise.parts", "-o", "all.reprise"], folder)
    for deltas in ("mean", "distribution"):
        outcome = json.loads(
            run(
                [
                    reprise,
                    "replay",
                    "all.reprise",
                    "--platform",
                    "infiniband-edr",
                    "--deltas",
                    deltas,
                    "--format",
                    "json",
                ],
                folder,
            )
        )
        replayed = {rank["rank"]: rank["compute_s"] for rank in outcome["ranks"]}
        total_error = sum(replayed.values()) / sum(recorded.values()) - 1
        if abs(total_error) > 1e-12:
            wrong.append(f"{deltas}: all ranks compute {total_error:+.2e} of what was recorded")
        errors = {rank: replayed[rank] / recorded[rank] - 1 for rank in recorded}
        wrong += [
            f"{deltas}: rank {rank} computes {error:+.2%} of what it recorded"
            for rank, error in errors.items()
            if abs(error) > 0.02
        ]
        print(
            f"{deltas}: worst rank {max(map(abs, errors.values())):.2%}, total {total_error:+.1e}, "
            f"{os.path.getsize(folder / 'all.reprise')} bytes, recorded {typical:+.2%} of measured"
        )
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("mode")
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        wrong = compare(options, pathlib.Path(folder))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
