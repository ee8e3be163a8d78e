#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predictions on a platform from the program's own messages beside those on one that reprise-probe measured.

usage: own_machine.py --bin FOLDER --launcher MPIRUN --probed PLATFORM [--repetitions 5] [--messages WHICH] [--more N] NAME=COMMAND…

Each repetition runs every program bare (the time from the end of MPI_Init to the start of MPI_Finalize, by a recorder that is told nothing
but that: the recorded time of a run without --messages), and once recorded with --messages WHICH (default sample:100%). That one's trace is replayed on
its own machine (no --platform), on PLATFORM, and on the assumed machine (its messages left out). Medians; errors against the median of the runs
without --messages, and in brackets against the shortest of them: on a busy machine that is nearer to what a run takes alone. --more N: N further such
runs each time. Prints a table as Markdown.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def recorded(options, command, folder, messages):
    trace = pathlib.Path(folder) / "run.reprise"
    record = [
        options.bin / "reprise",
        "record",
        "--force",
        "-q",
        "--messages",
        messages,
        "-o",
        trace,
        "--",
        options.launcher,
    ]
    run([*record, "-n", "2", *command.split()], folder)
    return trace, json.loads(run([options.bin / "reprise", "trace", "info", trace, "--format", "json"], folder))


def predicted(options, trace, folder, *machine):
    answer = run([options.bin / "reprise", "replay", trace, *machine, "--format", "json"], folder)
    return json.loads(answer)["predicted_time_s"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--probed", type=pathlib.Path, required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--more", type=int, default=0)
    parser.add_argument("--messages", default="sample:100%")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    options.bin, options.probed = options.bin.resolve(), options.probed.resolve()
    times = {
        program: {"run": [], "own": [], "probed": [], "assumed": [], "messages": []} for program in options.program
    }
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.repetitions):
            for program, rows in times.items():
                command = program.split("=", 1)[1]
                plain, info = recorded(options, command, folder, "none")
                rows["run"].append(info["elapsed_s"])
                for _ in range(options.more):
                    rows["run"].append(recorded(options, command, folder, "none")[1]["elapsed_s"])
                rows["assumed"].append(predicted(options, plain, folder))
                trace, info = recorded(options, command, folder, options.messages)
                rows["messages"].append(info["messages"]["joined"])
                rows["own"].append(predicted(options, trace, folder))
                rows["probed"].append(predicted(options, trace, folder, "-p", options.probed))
    print(
        "| program | run, s | spread | messages sampled | own messages | probe | assumed |\n|---|---|---|---|---|---|---|"
    )
    errors = {"own": [], "probed": [], "assumed": []}
    against_shortest = {machine: [] for machine in errors}
    for program, rows in times.items():
        middle, shortest = statistics.median(rows["run"]), min(rows["run"])
        cells = []
        for machine, all_of_them in errors.items():
            error = statistics.median(rows[machine]) / middle - 1
            all_of_them.append(abs(error))
            alone = statistics.median(rows[machine]) / shortest - 1
            against_shortest[machine].append(abs(alone))
            cells.append(f"{100 * error:+.1f} % ({100 * alone:+.1f} %)")
        spread = (max(rows["run"]) - min(rows["run"])) / middle
        count = statistics.median(rows["messages"])
        print(f"| {program.split('=')[0]} | {middle:.4f} | {100 * spread:.1f} % | {count:.0f} | {' | '.join(cells)} |")
    medians = " | ".join(
        f"{100 * statistics.median(one):.1f} % ({100 * statistics.median(against_shortest[machine]):.1f} %)"
        for machine, one in errors.items()
    )
    print(f"| median of the magnitudes | | | | {medians} |")


if __name__ == "__main__":
    main()
