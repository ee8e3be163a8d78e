#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a replay keep the order of compute times? Programs with prescribed times (patterns.c) against their true makespan.

usage: patterns.py --bin FOLDER -o FOLDER [--ranks 4,16] [--deltas mean,distribution,ordered] [--only PATTERN,…] [--seeds 20]

Each pattern is recorded under each communication (Open MPI) and replayed on a network that costs nothing (ideal.json). A row: the error
of every way to play the times, whether the truth lies within the band of the seeds (of `ordered`; half a percent is allowed
for), and the bytes of the trace. Last line: cases within 5 %, median error, cases inside the band.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PATTERNS = (
    "constant imbalance short-long short-long-apart one-in-three one-in-forty round-robin drift two-phases halves-swap "
    "random random-together lognormal warm-up wandering one-in-thousand one-in-thousand-scattered size-phases size-drift"
).split()
COMMUNICATIONS = ("allreduce", "ring", "pipe")
STEPS, MICROSECONDS = 240, 40000
MORE_STEPS = {  # of patterns that show in long runs only
    "one-in-thousand": 4000,
    "one-in-thousand-scattered": 4000,
    "size-phases": 2000,
    "size-drift": 2000,
}


def makespan(durations, communication):
    """Of durations[rank][step], where messages take no time."""
    ranks, steps = len(durations), len(durations[0])
    if communication == "allreduce":
        return sum(max(rank[k] for rank in durations) for k in range(steps))
    ends = [0.0] * ranks
    for k in range(steps):
        if communication == "ring":
            own = [ends[r] + durations[r][k] for r in range(ranks)]
            ends = [max(own[r - 1], own[r], own[(r + 1) % ranks]) for r in range(ranks)]
        else:
            before = 0.0
            for r in range(ranks):
                before = ends[r] = max(ends[r], before) + durations[r][k]
    return max(ends)


class Case:
    def __init__(self, options, program, pattern, communication, ranks):
        self.reprise = options.bin / "reprise"
        self.name = f"{pattern} {communication} {ranks}"
        self.trace = options.output / f"{pattern}-{communication}-{ranks}.reprise"
        log = self.trace.with_suffix(".log")
        environment = dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
        command = [
            self.reprise,
            "record",
            "--force",
            "--clock",
            "cpu",
            "-o",
            self.trace,
            "--",
            "mpirun",
            "-n",
            str(ranks),
        ]
        steps = MORE_STEPS.get(pattern, STEPS)
        command += [program, pattern, communication, str(steps), str(MICROSECONDS), log]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        durations = [[float(line) for line in open(f"{log}.{rank}")] for rank in range(ranks)]
        self.truth = makespan(durations, communication)

    def error(self, deltas, seed=None):
        command = [
            self.reprise,
            "replay",
            self.trace,
            "-p",
            HERE / "ideal.json",
            "--placement",
            "cyclic",
            "--format",
            "json",
        ]
        command += ["--deltas", deltas] + (["--seed", str(seed)] if seed else [])
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return 100 * (json.loads(done.stdout)["predicted_time_s"] / self.truth - 1)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", default="4,16")
    parser.add_argument("--deltas", default="mean,distribution,ordered")
    parser.add_argument("--only", default=",".join(PATTERNS))
    parser.add_argument("--communications", default=",".join(COMMUNICATIONS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--mpicc", default="mpicc")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    program = options.output / "patterns"
    subprocess.run([options.mpicc, "-O2", HERE / "patterns.c", "-o", program], check=True)
    modes = options.deltas.split(",")
    print("| pattern, communication, ranks | " + " | ".join(modes) + " | truth in the band of the seeds | bytes |")
    print("|---|" + "---|" * (len(modes) + 2))
    errors = {mode: [] for mode in modes}
    inside = cases = 0
    for ranks in map(int, options.ranks.split(",")):
        for communication in options.communications.split(","):
            for pattern in options.only.split(","):
                case = Case(options, program, pattern, communication, ranks)
                cells = []
                for mode in modes:
                    errors[mode].append(case.error(mode))
                    cells.append(f"{errors[mode][-1]:+.1f} %")
                band = [case.error("ordered", seed) for seed in range(1, options.seeds + 1)]
                is_inside = bool(band) and min(band) - 0.5 <= 0 <= max(band) + 0.5
                inside += is_inside
                cases += 1
                cells += ["yes" if is_inside else "no", str(case.trace.stat().st_size)]
                print(f"| {case.name} | " + " | ".join(cells) + " |", flush=True)
    print()
    for mode in modes:
        near = sum(abs(error) <= 5 for error in errors[mode])
        median = statistics.median(abs(error) for error in errors[mode])
        print(f"- {mode}: {near} of {cases} within 5 %, median |error| {median:.1f} %")
    print(f"- truth inside the band of {options.seeds} seeds: {inside} of {cases}")


main()
