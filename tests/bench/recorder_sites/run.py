#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the recorder adds to a call when calls come from many call paths: CPU ns, KiB and bytes of trace, for numbers of paths.

usage: run.py BUILD_FOLDER [--calls N] [--repeats N] [--order BYTES] [--call-path FORM] SITES…

One rank repeats an allreduce at each path; bare and recorded runs alternate, the median of the paired differences is shown, after the
rounds in which paths are learnt and the loop is found. Memory: peak resident size (GNU time). The output is a Markdown table.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile


def run(options, sites, rounds, recorder, folder):
    """CPU ns per call and peak KiB."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **recorder)
    command = ["/usr/bin/time", "-f", "%M", str(options.build / "bin/paths"), str(sites), str(rounds)]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout), int(done.stderr.split()[-1])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--order", default="8 KiB", help="REPRISE_ORDER")
    parser.add_argument("--call-path", default="full", help="REPRISE_CALLPATH; auto shortens paths from 8192 on")
    parser.add_argument("sites", type=int, nargs="+")
    options = parser.parse_args()
    options.build = options.build.resolve()
    print("| sites | bare, ns | added, ns a call | added, KiB | trace, bytes |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for sites in options.sites:
            rounds = max(3, options.calls // sites)
            trace = pathlib.Path(folder) / "paths.reprise"
            recorder = {
                "LD_PRELOAD": str(options.build / "lib/libreprise-recorder.so"),
                "REPRISE_OUTPUT": str(trace),
                "REPRISE_ORDER": options.order,
                "REPRISE_CALLPATH": options.call_path,
            }
            pairs = [
                (run(options, sites, rounds, {}, folder), run(options, sites, rounds, recorder, folder))
                for _ in range(options.repeats)
            ]
            bare = statistics.median(pair[0][0] for pair in pairs)
            added = statistics.median(pair[1][0] - pair[0][0] for pair in pairs)
            memory = statistics.median(pair[1][1] - pair[0][1] for pair in pairs)
            print(f"| {sites} | {bare:.0f} | +{added:.0f} | {memory:.0f} | {trace.stat().st_size} |", flush=True)


if __name__ == "__main__":
    main()
