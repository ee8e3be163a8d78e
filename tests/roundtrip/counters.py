#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counters: what the kernel counted between calls against what the program measured and the trace has as compute time.

usage: counters.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM        PROGRAM: two_kernels

The task-clock of the paths between calls is the CPU time that the program measured of its kernels, and the compute time of the trace (CPU clock), each to
10 %; page faults are counted. Polling inside MPI, which takes as much time again where ranks share cores, is in none of them. The path with most computing has
nearly all of the task-clock. Instructions and cycles are there or named as missing, once on stderr and in the trace, and the program prints
the same. Without --counters a trace says nothing of them. A name that is no event in the environment is a warning.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

STEPS = 1000
NOTICE = "reprise: notice: the kernel does not count "


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done


def record(options, folder, trace, *extra):
    words = [options.reprise, "record", *extra, "--clock", "cpu", "-o", trace, "--", options.launcher]
    return run([*words, "-n", options.ranks, options.program, STEPS], folder)


def counters(options, folder, trace):
    return json.loads(run([options.reprise, "trace", "counters", trace, "--format", "json"], folder).stdout)


def info(options, folder, trace):
    return json.loads(run([options.reprise, "trace", "info", trace, "--format", "json"], folder).stdout)


def of_the_kernel(options, folder):
    """What is wrong with events that every kernel has, as sentences."""
    done = record(options, folder, "software.reprise", "--counters=task-clock,page-faults")
    moved, evaluated = map(float, re.search(r"kernels ([\d.]+) ([\d.]+)", done.stdout).groups())
    told = counters(options, folder, "software.reprise")
    clock, measured = told["totals"]["task-clock"] * 1e-9, moved + evaluated
    print(f"task-clock {clock:.4f} s, computed {told['compute_s']:.4f} s, kernels {measured:.4f} s")
    wrong = []
    if NOTICE in done.stderr:
        wrong.append(f"events that are there are named as missing: {done.stderr}")
    if abs(clock / told["compute_s"] - 1) > 0.1:
        wrong.append(f"task-clock {clock} s of {told['compute_s']} s of computing")
    if abs(clock / measured - 1) > 0.1:
        wrong.append(f"task-clock {clock} s where the kernels took {measured} s")
    if abs(told["counted_s"] / told["compute_s"] - 1) > 1e-3:
        wrong.append(f"counts for {told['counted_s']} of {told['compute_s']} s")
    if sum(way["task-clock"] or 0 for way in told["paths"]) != told["totals"]["task-clock"]:
        wrong.append("paths do not add up to the totals")
    first = told["paths"][0]
    if first["task-clock"] < 0.8 * told["totals"]["task-clock"]:
        wrong.append(f"the way with most computing has {first['task-clock']} of the task-clock")
    if told["totals"]["page-faults"] < 100 * options.ranks:  # both arrays of each rank: 512 KiB
        wrong.append(f"{told['totals']['page-faults']} page faults")
    for event in told["events"]:
        if (event["threads"], event["absent_threads"], event["scaled_threads"]) != (options.ranks, 0, 0):
            wrong.append(f"{event}")
    return wrong


def of_the_processor(options, folder):
    done = record(options, folder, "hardware.reprise", "--counters")
    wrong = [] if re.search(r"kernels [\d.]+ [\d.]+", done.stdout) else [f"printed {done.stdout!r}"]
    told = counters(options, folder, "hardware.reprise")
    absent = [event["event"] for event in told["events"] if event["absent_threads"] > 0]
    notices = [line for line in done.stderr.splitlines() if line.startswith(NOTICE)]
    print(f"absent: {absent}, {notices}")
    if [event["event"] for event in told["events"]] != ["instructions", "cycles"]:
        wrong.append(f"events {told['events']}")
    if absent and (len(notices) != 1 or not notices[0].startswith(NOTICE + ", ".join(absent) + " here (")):
        wrong.append(f"{absent} are absent, and stderr has {notices}")
    if not absent and (notices or not 0.1 < told["totals"]["ipc"] < 10):
        wrong.append(f"nothing is absent: {notices}, {told['totals']}")
    return wrong


def off(options, folder):
    record(options, folder, "off.reprise")
    wrong = ["counters that nobody asked for"] if "counters" in info(options, folder, "off.reprise") else []
    os.environ["REPRISE_COUNTERS"] = "cycles,flops"
    done = record(options, folder, "mistake.reprise")
    del os.environ["REPRISE_COUNTERS"]
    if 'REPRISE_COUNTERS: "cycles,flops" is not events separated by commas' not in done.stderr:
        wrong.append(f"no warning: {done.stderr}")
    if "counters" in info(options, folder, "mistake.reprise"):
        wrong.append("counters of events that are none")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    options.reprise, options.program = options.bin.resolve() / "reprise", options.program.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        wrong = of_the_kernel(options, folder) + of_the_processor(options, folder) + off(options, folder)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
