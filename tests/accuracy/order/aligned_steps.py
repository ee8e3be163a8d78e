#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loop that ends with a collective: predictions of several recordings against the steps that each of these runs really made.

usage: aligned_steps.py --bin FOLDER -o FOLDER [--runs 10] [--ranks 16] [--load spin|memory] [--platform P] [PROGRAM ARGUMENT…]
       (default program: heat2d 200 512, built from ../../../scenarios/heat2d)

Every run is recorded with duration_log.c in front of the recorder, so that the same run has a truth: steps, aligned as they happened, are the
sum over steps of what the slowest rank computed in that step. A step ends with --ends-with (default Allreduce), which must be called equally often by
all ranks. The second half of the runs has one more process on each core, that spins or walks through memory.

  aligned      of the logged times, each with the mean of what the log adds (true_order.py). That scatters, so a prediction is above it where
               calls follow each other within a few microseconds
  computed     what a rank computed, the mean of all
  least        the sum over steps of the fastest rank's time: what no wait for another rank, and no preemption can explain
  predicted    our replay of the recording, on a network that costs nothing and on --platform
  stencil      microseconds of a fixed amount of work (core_speed.c) on one core just before the run, median; nothing of it waits or
               leaves the first-level cache
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent)]
from true_order import compile_log, logged, replayed  # noqa: E402

LOADS = {"spin": ("0",), "memory": ("64",)}  # MiB that core_speed.c walks through


class Load:
    """A process on each core, for as long as the run takes."""

    def __init__(self, core_speed, kind):
        self.command = [core_speed, "load", *LOADS[kind]] if kind else None

    def __enter__(self):
        cores = sorted(os.sched_getaffinity(0)) if self.command else ()
        self.processes = [subprocess.Popen(["taskset", "-c", str(core), *self.command]) for core in cores]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def compile_c(source, output, *words, compiler="gcc"):
    subprocess.run([compiler, "-O2", *words, source, "-o", output, "-lm"], check=True)
    return output


def steps_of(calls, ends_with):
    """What a rank computed in each step, in ns: [step]."""
    steps, step = [], 0.0
    for procedure, ns in calls:
        step += ns
        if procedure == ends_with:
            steps.append(step)
            step = 0.0
    return steps


def run(options, library, core_speed, program, kind, number):
    trace, log = options.output / f"run-{number}.reprise", options.output / f"run-{number}.log"
    environment = dict(os.environ, DURATION_LOG=str(log), DURATION_LOG_CLOCK="cpu", OMPI_MCA_mpi_yield_when_idle="1")
    command = [
        options.bin / "reprise",
        "record",
        "-q",
        "--force",
        "--clock",
        "cpu",
        *options.record.split(),
        "-o",
        trace,
        "--",
    ]
    command += ["mpirun", "--oversubscribe", "-n", str(options.ranks)]
    command += ["env", "sh", "-c", f'LD_PRELOAD="{library}:$LD_PRELOAD" exec "$0" "$@"', *program]
    with Load(core_speed, kind):
        stencil = float(subprocess.run([core_speed], capture_output=True, text=True, check=True).stdout.split()[1])
        subprocess.run(command, env=environment, capture_output=True, check=True)
    means = replayed(options.bin / "reprise", trace, "mean")
    steps, added = [], []
    for rank in range(options.ranks):
        calls, of_log = logged(f"{log}.{rank}", means["ranks"][rank]["compute_s"] * 1e9)
        added.append(of_log)
        steps.append(steps_of(calls, options.ends_with))
    if len(set(map(len, steps))) != 1:
        sys.exit(f"ranks call {options.ends_with} {min(map(len, steps))} to {max(map(len, steps))} times")
    by_step = list(zip(*steps))
    answer = {
        "load": kind or "none",
        "stencil": stencil,
        "aligned": sum(map(max, by_step)) * 1e-6,
        "least": sum(map(min, by_step)) * 1e-6,
        "computed": statistics.mean(map(sum, steps)) * 1e-6,
        "added": statistics.mean(added),
        "predicted": replayed(options.bin / "reprise", trace, "ordered")["predicted_time_s"] * 1e3,
    }
    command = [options.bin / "reprise", "replay", trace, "-p", options.platform, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer["on platform"] = json.loads(done.stdout)["predicted_time_s"] * 1e3
    return answer


def ratio(values):
    return max(values) / min(values)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="number of the first run: to go on with a study")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--load", choices=LOADS, default="spin")
    parser.add_argument("--platform", default="infiniband-hdr")
    parser.add_argument("--ends-with", default="Allreduce")
    parser.add_argument("--record", default="", help="further options of reprise record")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.bin, options.output = options.bin.resolve(), options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    library = compile_log(options.output)
    core_speed = compile_c(HERE.parent / "core_speed.c", options.output / "core_speed")
    program = options.program
    if not program:
        source = HERE.parents[2] / "scenarios/heat2d/heat2d.c"
        program = [compile_c(source, options.output / "heat2d", compiler="mpicc"), "200", "512"]
    kept = options.output / "aligned_steps.json"
    rows = json.loads(kept.read_text()) if options.first else []
    for number in range(options.first, options.runs):
        rows.append(run(options, library, core_speed, program, options.load if number % 2 else None, number))
        kept.write_text(json.dumps(rows, indent=1))
    print(
        "| load | stencil, us | computed, ms | least | aligned | predicted | against aligned | on the platform | added by the log |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for row in sorted(rows, key=lambda row: row["load"] != "none"):
        cells = [f"{row[name]:.2f}" for name in ("stencil", "computed", "least", "aligned", "predicted")]
        cells += [f"{100 * (row['predicted'] / row['aligned'] - 1):+.1f} %", f"{row['on platform']:.2f}"]
        print("| " + " | ".join([row["load"], *cells, f"{row['added']:.0f} ns"]) + " |")
    for name in ("stencil", "computed", "least", "aligned", "predicted", "on platform"):
        print(f"{name}: largest over smallest {ratio([row[name] for row in rows]):.2f}")
    print(
        f"predicted / aligned: largest over smallest {ratio([row['predicted'] / row['aligned'] for row in rows]):.2f}"
    )


if __name__ == "__main__":
    main()
