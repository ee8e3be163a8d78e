#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What merging costs against the size of the program and against the ranks, in instructions (callgrind): a Markdown table.

usage: run.py BUILD_FOLDER

Only the steps count, making the ranks' traces does not. One step is one rank's message made and united with the trace of another:
ranks − 1 of them for the job, log2(ranks) one after the other.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

CASES = [(nodes, 4) for nodes in (128, 512, 2048, 8192)] + [(512, ranks) for ranks in (16, 64)]


def instructions(program, arguments, function, folder):
    done = subprocess.run(
        [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={folder}/out",
            "--collect-atstart=no",
            f"--toggle-collect={function}",
            program,
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1)), done.stdout.split()


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "bin/merge_cost"
    print(
        "| ranks' programs | call sites | ranks | bytes of one rank | merged | nodes | a step, instructions | a call site |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for likeness in ("alike", "unlike"):
            for nodes, ranks in CASES:
                arguments = (str(nodes), str(ranks), likeness)
                whole, (one, merged, stored) = instructions(program, arguments, "merge_all_ranks(*", folder)
                step = whole / (ranks - 1)
                print(
                    f"| {likeness} | {nodes} | {ranks} | {one} | {merged} | {stored} | {step / 1e6:.2f} M | {step / nodes:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
