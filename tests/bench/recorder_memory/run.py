#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recorder's memory: peak resident size of each rank with the recorder minus that without, for growing numbers of steps.

usage: run.py BUILD_FOLDER [--ranks N] [--points N] STEPS…      of scenarios/heat2d, on a grid of N x N points

Peaks are what the kernel accounts for each rank's process (GNU time). The output is a Markdown table: largest of the ranks, KiB.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MEASURED = 'exec /usr/bin/time -f %M -o peak.$OMPI_COMM_WORLD_RANK "$@"'


def peak(options, steps, recorder, folder):
    environment = dict(
        os.environ,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
    )
    program = [str(options.build / "bin/heat2d"), str(steps), str(options.points)]
    command = ["mpirun", "-n", str(options.ranks), "sh", "-c", MEASURED, "sh", "env", *recorder, *program]
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    return max(int((folder / f"peak.{rank}").read_text(encoding="ascii")) for rank in range(options.ranks))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("steps", type=int, nargs="+")
    options = parser.parse_args()
    options.build = options.build.resolve()
    print("| steps | calls | bare, KiB | recorded, KiB | added, KiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for steps in options.steps:
            trace = folder / f"{steps}.reprise"
            recorder = [f"LD_PRELOAD={options.build}/lib/libreprise-recorder.so", f"REPRISE_OUTPUT={trace}"]
            bare, recorded = peak(options, steps, [], folder), peak(options, steps, recorder, folder)
            command = [options.build / "bin/reprise", "trace", "info", trace, "--format", "json"]
            info = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            calls = sum(info["procedures"].values())
            print(f"| {steps} | {calls} | {bare} | {recorded} | {recorded - bare} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
