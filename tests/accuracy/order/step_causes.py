#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Why do a program's own steps take longer in one run than in another, by CPU time?

usage: step_causes.py -o FOLDER [--runs 10] [--ranks 16] [--load spin|memory] [PROGRAM ARGUMENT…]    (default program: heat2d 200 512)

No recorder: duration_log.c alone logs what each rank computes before each call of --ends-with (default Allreduce), which must be called equally often by all ranks.
Every second run has one more process on each core. The first step is left out. Milliseconds:

  aligned       the sum over steps of the slowest rank's time; it is the sum of the next five
  undisturbed   the steps by their median where the core had its full speed and the thread was not switched out, in the run in which that is least
  caches        by how much that median is longer in this run. See *absent*
  slow core     by how much the slowest ranks took longer than this run's median where a fixed amount of work, right afterwards, in the first-level
                cache, took 8 % longer than in the quickest hundredth: another hardware thread of the core computed
  switched out  the same where the thread lost its core in between, at full speed
  the rest      the same of all others: interrupts, and what the program itself does differently
  absent        time between two steps in which a rank had no core, median; and the medians of undisturbed times for the least and for
                the most absent fifth, in microseconds: what a longer absence costs is a cache that others have used meanwhile
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent)]
from aligned_steps import LOADS, Load, compile_c, ratio  # noqa: E402
from true_order import compile_log  # noqa: E402

SLOW = 1.08


class Step:
    """What one rank computed before one call, in ns."""

    def __init__(self, cpu, absent, switches, core):
        self.cpu, self.absent, self.switches, self.core = cpu, absent, switches, core


def steps_of(path, ends_with):
    steps, absent = [], 0
    for line in path.read_text().splitlines():
        procedure, *words = line.split()
        cpu, inside, wall, wall_inside, switches, core = map(int, words)
        if procedure == ends_with:
            steps.append(Step(cpu, absent, switches, core))
            absent = 0
        absent += max(0, wall_inside - inside)
    return steps[1:]


def run(options, library, core_speed, program, kind, number):
    """[rank][step]"""
    log = options.output / f"run-{number}.log"
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", DURATION_LOG=str(log))
    environment |= {"DURATION_LOG_CLOCK": "cpu", "DURATION_LOG_INSIDE": "1", "DURATION_LOG_CAUSES": "1"}
    command = ["mpirun", "--oversubscribe", "-n", str(options.ranks), "env", f"LD_PRELOAD={library}", *program]
    with Load(core_speed, kind):
        subprocess.run(command, env=environment, capture_output=True, check=True)
    ranks = [steps_of(pathlib.Path(f"{log}.{rank}"), options.ends_with) for rank in range(options.ranks)]
    if len(set(map(len, ranks))) != 1:
        sys.exit(f"ranks call {options.ends_with} {min(map(len, ranks)) + 1} to {max(map(len, ranks)) + 1} times")
    return ranks


def undisturbed(ranks, full_speed):
    return [step for rank in ranks for step in rank if not step.switches and 0 < step.core <= SLOW * full_speed]


def row_of(ranks, full_speed, least):
    calm = sorted(undisturbed(ranks, full_speed), key=lambda step: step.absent)
    median = statistics.median(step.cpu for step in calm)
    excess = {"slow core": 0.0, "switched out": 0.0, "the rest": 0.0}
    slowest = [max(steps, key=lambda step: step.cpu) for steps in zip(*ranks)]
    for step in slowest:
        cause = "slow core" if step.core > SLOW * full_speed else "switched out" if step.switches else "the rest"
        excess[cause] += (step.cpu - median) * 1e-6
    fifth = max(1, len(calm) // 5)
    return {
        "aligned": sum(step.cpu for step in slowest) * 1e-6,
        "undisturbed": len(slowest) * least * 1e-6,
        "caches": len(slowest) * (median - least) * 1e-6,
        **excess,
        "absent": statistics.median(step.absent for step in calm) * 1e-6,
        "least absent": statistics.median(step.cpu for step in calm[:fifth]) * 1e-3,
        "most absent": statistics.median(step.cpu for step in calm[-fifth:]) * 1e-3,
    }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--load", choices=LOADS, default="spin")
    parser.add_argument("--ends-with", default="Allreduce")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.output = options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    library = compile_log(options.output)
    core_speed = compile_c(HERE.parent / "core_speed.c", options.output / "core_speed")
    program = options.program
    if not program:
        source = HERE.parents[2] / "scenarios/heat2d/heat2d.c"
        program = [compile_c(source, options.output / "heat2d", compiler="mpicc"), "200", "512"]
    loads = [options.load if number % 2 else None for number in range(options.runs)]
    runs = [run(options, library, core_speed, program, kind, number) for number, kind in enumerate(loads)]
    cores = sorted(step.core for ranks in runs for rank in ranks for step in rank if step.core)
    full_speed = cores[len(cores) // 100]
    least = min(statistics.median(step.cpu for step in undisturbed(ranks, full_speed)) for ranks in runs)
    rows = [(kind or "none", row_of(ranks, full_speed, least)) for kind, ranks in zip(loads, runs)]
    print("| load | " + " | ".join(rows[0][1]) + " |")
    print("|---" * (len(rows[0][1]) + 1) + "|")
    for kind, row in sorted(rows, key=lambda row: row[0] != "none"):
        print(f"| {kind} | " + " | ".join(f"{value:.2f}" for value in row.values()) + " |")
    for kind in dict.fromkeys(kind for kind, _ in rows):
        print(f"aligned, {kind}: largest over smallest {ratio([row['aligned'] for of, row in rows if of == kind]):.2f}")
    print(f"aligned, all: largest over smallest {ratio([row['aligned'] for _, row in rows]):.2f}")


if __name__ == "__main__":
    main()
