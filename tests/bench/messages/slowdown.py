#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What sampling adds to a run: bare, recorded, and recorded with messages sampled, one after the other, the shortest and the median of each.

usage: slowdown.py --bin FOLDER --launcher MPIRUN --pattern REGEX [--repetitions 10] -- PROGRAM [ARGUMENTS]

REGEX: finds the seconds in what the program prints, as its first group. Prints rows of a Markdown table.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import tempfile

WAYS = ("bare", "none", "sample:1%", "sample:10%", "sample:90%")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--pattern", type=re.compile, required=True)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    times = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.repetitions):
            for way, found in times.items():
                command = [options.launcher, "-n", "2", *options.program]
                if way != "bare":
                    record = [options.bin.resolve() / "reprise", "record", "--force", "-q", "--messages", way]
                    command = [*record, "-o", "run.reprise", "--", *command]
                done = subprocess.run(
                    [str(word) for word in command], cwd=folder, check=True, capture_output=True, text=True
                )
                found.append(float(options.pattern.search(done.stdout)[1]))
    bare = (min(times["bare"]), statistics.median(times["bare"]))
    plain = (min(times["none"]), statistics.median(times["none"]))
    for way, found in times.items():
        least, middle = min(found), statistics.median(found)
        print(
            f"| {pathlib.Path(options.program[0]).name} | {way} | {least:.4g} | {middle:.4g} | "
            f"{100 * (least / bare[0] - 1):+.1f} % | {100 * (least / plain[0] - 1):+.1f} % | {100 * (middle / plain[1] - 1):+.1f} % |"
        )


if __name__ == "__main__":
    main()
