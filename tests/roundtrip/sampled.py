#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that is sampled 5000 times a second does what it does otherwise: the same output and exit status, and a trace that is sound.

usage: sampled.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def run(command, folder):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)


def compare(options, folder):
    """What is wrong, as sentences."""
    reprise = options.bin.resolve() / "reprise"
    program = [options.launcher, "-n", options.ranks, options.program.resolve()]
    alone = run(program, folder)
    words = [reprise, "record", "--functions", "sample:5000", "-o", "run.reprise", "--"]
    sampled = run(words + program, folder)
    wrong = []
    if sampled.returncode != alone.returncode:
        wrong.append(f"exit {alone.returncode} alone, {sampled.returncode} sampled: {sampled.stderr}")
    if sorted(sampled.stdout.splitlines()) != sorted(alone.stdout.splitlines()):
        wrong.append(f"alone it prints\n{alone.stdout}\nsampled\n{sampled.stdout}")
    checked = run([reprise, "trace", "check", "--strict", "run.reprise"], folder)
    if "samples of functions" in checked.stdout or ": error:" in checked.stdout or checked.stderr:
        wrong.append(f"the trace: {checked.stdout}{checked.stderr}")
    if "\nfunctions " not in run([reprise, "trace", "info", "run.reprise"], folder).stdout:
        wrong.append("the trace has no samples")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        wrong = compare(options, pathlib.Path(folder))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
