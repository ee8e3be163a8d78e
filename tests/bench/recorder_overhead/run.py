#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the recorder adds to an MPI call: ns and instructions per call, against the bare library, in one run.

usage: run.py BUILD_FOLDER [--calls N] [--repeats N] [--instructions]

Bare and recorded runs alternate; the table gives the median of the paired differences. Instructions are counted by callgrind as the
difference of two run lengths, so that start-up and Finalize cancel out. The output is a Markdown table.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

KINDS = ("sendrecv", "allreduce", "halo")
TIMINGS = ("path", "histogram", "stat")
# label, depth of the program's stack, environment
VARIANTS = [
    (f"{timing} {clock} {depth} frames", depth, {"REPRISE_TIMING": timing, "REPRISE_CLOCK": clock})
    for clock in ("wall", "cpu")
    for timing in TIMINGS
    for depth in (16, 4)
]
VARIANTS += [("path wall flat", 16, {"REPRISE_CALLPATH": "flat"}), ("path wall 1 frame", 16, {"REPRISE_DEPTH": "1"})]
# The processor's events where they are read by rdpmc, and one of the kernel, by a system call.
VARIANTS += [
    (f"path wall 16 frames, {events}", 16, {"REPRISE_COUNTERS": events})
    for events in ("instructions,cycles", "task-clock")
]


def run(build, kind, calls, depth, variables, folder, tool=()):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if variables is not None:
        environment.update(
            variables,
            LD_PRELOAD=str(build / "lib/libreprise-recorder.so"),
            REPRISE_OUTPUT=str(pathlib.Path(folder) / f"{kind}-{os.urandom(4).hex()}.reprise"),
        )
    done = subprocess.run(
        [*tool, str(build / "bin/calls"), kind, str(calls), str(depth)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done


def cost(build, kind, calls, depth, variables, folder):
    return float(run(build, kind, calls, depth, variables, folder).stdout)


def instructions(build, kind, depth, variables, folder):
    def total(calls):
        tool = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out")
        text = run(build, kind, calls, depth, variables, folder, tool).stderr
        return int(re.search(r"Collected : (\d+)", text).group(1))

    few, many = 13_000, 26_000
    return (total(many) - total(few)) / (many - few)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=300_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    print("| call | variant | bare ns | added ns | " + ("added instructions |" if options.instructions else ""))
    print("|---|---|---|---|" + ("---|" if options.instructions else ""))
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for label, depth, variables in VARIANTS:
                pairs = [
                    (
                        cost(build, kind, options.calls, depth, None, folder),
                        cost(build, kind, options.calls, depth, variables, folder),
                    )
                    for _ in range(options.repeats)
                ]
                bare = statistics.median(pair[0] for pair in pairs)
                added = statistics.median(pair[1] - pair[0] for pair in pairs)
                row = f"| {kind} | {label} | {bare:.0f} | +{added:.0f} |"
                if options.instructions:
                    more = instructions(build, kind, depth, variables, folder) - instructions(
                        build, kind, depth, None, folder
                    )
                    row += f" +{more:.0f} |"
                print(row, flush=True)


if __name__ == "__main__":
    main()
