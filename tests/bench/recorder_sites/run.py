#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the recorder adds to a call when calls come from many call paths: CPU ns, KiB and bytes of trace, for numbers of paths.

usage: run.py BUILD_FOLDER [--calls N] [--repeats N] [--order BYTES] [--call-path FORM] SITES…

One rank repeats an allreduce at each path; bare and recorded runs and the numbers of paths alternate, so that each meets the same machine. The
median of the paired differences is shown, after the rounds in which paths are learnt and the loop is found, and the median of their
ratios to those of the first number in the same turn. Memory: peak resident size (GNU time). The output is a Markdown table.
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
    pairs = {sites: [] for sites in options.sites}
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "paths.reprise"
        recorder = {
            "LD_PRELOAD": str(options.build / "lib/libreprise-recorder.so"),
            "REPRISE_OUTPUT": str(trace),
            "REPRISE_ORDER": options.order,
            "REPRISE_CALLPATH": options.call_path,
        }
        for _ in range(options.repeats):
            for sites in options.sites:
                rounds = max(3, options.calls // sites)
                pairs[sites].append(
                    (run(options, sites, rounds, {}, folder), run(options, sites, rounds, recorder, folder))
                )
                sizes[sites] = trace.stat().st_size
    first = [recorded[0] - bare[0] for bare, recorded in pairs[options.sites[0]]]
    print("| sites | bare, ns | added, ns a call | ratio | added, KiB | trace, bytes |\n|---|---|---|---|---|---|")
    for sites in options.sites:
        bare = statistics.median(bare[0] for bare, _ in pairs[sites])
        added = [recorded[0] - bare[0] for bare, recorded in pairs[sites]]
        ratio = statistics.median(own / other for own, other in zip(added, first))
        memory = statistics.median(recorded[1] - bare[1] for bare, recorded in pairs[sites])
        print(
            f"| {sites} | {bare:.0f} | +{statistics.median(added):.0f} | {ratio:.2f} | {memory:.0f} | {sizes[sites]} |"
        )


if __name__ == "__main__":
    main()
