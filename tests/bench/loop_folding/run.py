#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs to fold a stream of calls: instructions and bytes a call, for loops of growing length and for calls in no order.

usage: run.py BUILD_FOLDER [--no-instructions]

Loops go round three times. Instructions are counted by callgrind: the whole run for loops, by the call; for calls in random order over so
many sites the difference of two run lengths. The most bytes that the folded program took, by the call site. Output: Markdown tables.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

LENGTHS = (100, 1000, 1024, 1025, 10_000, 100_000, 1_000_000)
SITES = (2, 5, 20, 50, 100, 1000)


def run(options, kind, sites, calls, folder, counted):
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out"] if counted else []
    command = [*tool, str(options.build / "bin/loop_folding"), kind, str(sites), str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = re.search(r"at most (\d+), (\d+) ns", done.stdout)
    counted_instructions = re.search(r"Collected : (\d+)", done.stderr)
    return int(told[1]), int(told[2]), int(counted_instructions[1]) if counted_instructions else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--no-instructions", action="store_true")
    options = parser.parse_args()
    counted = not options.no_instructions
    with tempfile.TemporaryDirectory() as folder:
        print("| loop of | bytes a site, at most | ns a call | instructions a call |\n|---|---|---|---|")
        for length in LENGTHS:
            calls = 3 * length
            most, time, _ = run(options, "loop", length, calls, folder, False)
            instructions = run(options, "loop", length, calls, folder, True)[2] if counted else 0
            print(f"| {length} | {most / length:.0f} | {time} | {instructions / calls:.0f} |", flush=True)
        print("\n| random order of | ns a call | instructions a call |\n|---|---|---|")
        for sites in SITES:
            time = run(options, "random", sites, 40_000, folder, False)[1]
            few, many = (run(options, "random", sites, calls, folder, counted)[2] for calls in (20_000, 40_000))
            print(f"| {sites} | {time} | {(many - few) / 20_000:.0f} |", flush=True)


if __name__ == "__main__":
    main()
