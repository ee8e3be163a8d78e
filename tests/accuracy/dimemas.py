#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces on a network that costs nothing: the run time that Dimemas gives and ours, of the same Paraver file.

usage: dimemas.py --bin FOLDER --dimemas FOLDER TRACE.reprise…

Each trace is written as the Paraver trace of its run on ethernet-10g; prv2dim and Dimemas (github.com/bsc-performance-tools/dimemas, built in --dimemas)
simulate that file on cfgs/ideal.cfg with all messages eager, and we import and replay it without latency, overheads, copies and sharing. Dimemas ends with
10 s where it waits for ever, for messages that prv2dim has lost. Prints a Markdown table. Not part of CI.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

IDEAL = "-p infiniband-edr --placement cyclic --network uncontended --latency 0x --bandwidth 1000000000x --overhead 0x".split()
IDEAL += ["--set", "/mpi/eager_limit=1 GB", "--set", "/mpi/copy_bandwidth=1000000 GB/s"]


def run(folder, *command):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


def seconds(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else None


def times(options, trace, folder):
    """(Dimemas' time, ours), in seconds; None where there is none."""
    reprise = options.bin.resolve() / "reprise"
    run(folder, reprise, "export", trace.resolve(), "--format", "prv", "-p", "ethernet-10g", "-o", "run.prv")
    run(folder, options.dimemas / "prv2dim/prv2dim", "run.prv", "run.dim")
    simulator = [options.dimemas / "Simulator/Dimemas", "--config-file", options.dimemas / "cfgs/ideal.cfg"]
    theirs = run(folder, *simulator, "--dim", "run.dim", "-S", "2000000000")
    run(folder, reprise, "import", "run.prv", "-o", "run.reprise")
    ours = run(folder, reprise, "replay", "run.reprise", *IDEAL)
    return seconds(r"Execution time:\s+([\d.]+)", theirs), seconds(r"predicted run time\s+([\d.]+)", ours)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--dimemas", type=pathlib.Path, required=True)
    parser.add_argument("traces", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    options.dimemas = options.dimemas.resolve()
    print("| trace | Dimemas, s | ours, s | difference |\n|---|---|---|---|")
    for trace in options.traces:
        with tempfile.TemporaryDirectory() as folder:
            theirs, ours = times(options, trace, folder)
        fails = theirs is None or ours is None or theirs == 10
        difference = "–" if fails else f"{100 * (ours / theirs - 1):+.2f} %"
        print(f"| {trace.stem} | {'–' if fails else theirs} | {ours} | {difference} |", flush=True)


if __name__ == "__main__":
    main()
