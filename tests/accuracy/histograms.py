#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bins and paths are worth: errors of replays by how the times were kept.

usage: histograms.py --bin FOLDER --platform FILE -o FOLDER [--lu PROGRAM] [--repetitions 3] [--launcher MPIRUN]

asymmetric (programs/asymmetric.c) on 2 ranks, 5 to 40 steps, and LU on 2 ranks where it is named, are recorded with `stat`, with histograms
of 5 and 10 bins, and with histograms per path, and each trace is replayed on FILE. The error is that against the recorded run itself, so
that nothing but what the trace keeps and the model assumes is seen. Drawn times are means over ten seeds.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

from programs import HERE, Bench, Program

KEPT = [
    ("stat", ["--timing", "stat"]),
    ("histogram, 5 bins", ["--timing", "histogram", "--bins", "5"]),
    ("histogram, 10 bins", ["--timing", "histogram", "--bins", "10"]),
    ("path, 5 bins", ["--timing", "path", "--bins", "5"]),
    ("path, 10 bins", ["--timing", "path", "--bins", "10"]),
]
SEEDS = 10


def predicted(bench, trace, platform, options):
    if "stat" in options:
        return bench.simulated(trace, platform, "--deltas", "mean")["predicted_time_s"]
    return statistics.mean(
        bench.simulated(trace, platform, "--deltas", "sample", "--seed", str(seed))["predicted_time_s"]
        for seed in range(1, SEEDS + 1)
    )


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--launcher", default="mpirun --oversubscribe")
    parser.add_argument("--platform", required=True)
    parser.add_argument("--lu", default="")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    options.mpip = ""
    bench = Bench(options)
    bench.check_platform(options.platform)
    asymmetric = bench.folder / "asymmetric"
    subprocess.run(["mpicc", "-O2", "-g", str(HERE / "programs" / "asymmetric.c"), "-o", str(asymmetric)], check=True)
    programs = [Program(f"asymmetric-{steps} 2 {asymmetric} {steps}") for steps in (5, 10, 20, 40)]
    if options.lu:
        programs.append(Program(f"{pathlib.Path(options.lu).name} 2 {options.lu}"))

    results = {}
    print("| program | " + " | ".join(name for name, _ in KEPT) + " |")
    print("|---" * (1 + len(KEPT)) + "|")
    for program in programs:
        cells = []
        for name, how in KEPT:
            errors = []
            for _ in range(options.repetitions):
                trace = bench.folder / f"{program.name}.reprise"
                elapsed = bench.record(program, trace, options=how)
                errors.append(100 * (predicted(bench, trace, options.platform, how) / elapsed - 1))
            results.setdefault(program.name, {})[name] = errors
            cells.append(f"{statistics.median(errors):+.1f} %")
        print(f"| {program.name} | " + " | ".join(cells) + " |", flush=True)
    (bench.folder / "histograms.json").write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
