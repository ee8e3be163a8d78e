#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far is what one replay says of its sensitivities from what replays on changed machines say, and what does it cost?

usage: sensitivities.py --bin BIN [--platforms A,B] [--networks flow,queue,uncontended] [--patterns halo,cg] [--ranks 64,1024]
                        [--steps 20] [--deltas mean] [TRACE.reprise…]

For each trace (those named, and patterns of tests/bench/replay/patterns.py), platform and network: the elasticities of `--details
sensitivities`, and the central difference of two replays with a parameter 1 % (--step) larger and smaller. A row of the table:

  exact       whether the answer calls its slopes exact
  sum         what the absolute values of all elasticities add up to, `rest` included; 1 where none has changed its sign
  error       the largest distance of an elasticity from the difference, over computing, latency, bandwidth and overheads
  stated      the uncertainty that the answer gives
  inside      how many of the four are within the uncertainty, or 1e-4 of the time where that is 0
  CPU         CPU time of the replay with sensitivities, over that without: the least of several runs each
"""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

PATTERNS = pathlib.Path(__file__).resolve().parent.parent / "bench" / "replay" / "patterns.py"
OVERHEADS = ("send_overhead", "recv_overhead", "intra_node/send_overhead", "intra_node/recv_overhead")
OPTIONS = {
    "compute": ("--compute", ("compute",)),
    "latency": ("--latency", ("latency",)),
    "bandwidth": ("--bandwidth", ("bandwidth",)),
    "overhead": ("--overhead", OVERHEADS),
}


def run(arguments):
    """The answer, and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(base, runs, step):
    """The elasticities of one replay, differences of further ones, and the ratio of costs."""
    plain, without = run(base)
    answer, with_them = run(base + ["--details", "sensitivities"])
    for _ in range(runs - 1):
        without = min(without, run(base)[1])
        with_them = min(with_them, run(base + ["--details", "sensitivities"])[1])
    rows = {row["parameter"]: row for row in answer["sensitivities"]}
    time = plain["predicted_time_s"]
    worst, stated, inside = 0.0, 0.0, 0
    for option, parameters in OPTIONS.values():
        times = [run(base + [option, f"{factor!r}x"])[0]["predicted_time_s"] for factor in (1 + step, 1 / (1 + step))]
        difference = (times[0] - times[1]) / (2 * math.log(1 + step)) / time
        error = abs(sum(rows[name]["elasticity"] for name in parameters) - difference)
        uncertainty = max(rows[name]["uncertainty"] for name in parameters)
        worst, stated = max(worst, error), max(stated, uncertainty)
        # A difference over 1 % is itself off by the curvature of 1/x: 2e-5 of what depends on a bandwidth.
        inside += error <= max(uncertainty, 1e-4)
    why = answer["sensitivities"][0]["why_not_exact"]
    total = sum(abs(row["elasticity"]) for row in rows.values())
    return why, total, worst, stated, inside, with_them / without


def traces_of(options, folder):
    """The traces named, and those of the patterns."""
    for trace in options.traces:
        yield pathlib.Path(trace).stem, trace
    for pattern in filter(None, options.patterns.split(",")):
        for ranks in filter(None, options.ranks.split(",")):
            text, trace = folder / "pattern.txt", folder / f"{pattern}-{ranks}.reprise"
            arguments = [sys.executable, PATTERNS, pattern, ranks, str(options.steps), "--deltas", options.deltas]
            text.write_text(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout, "utf-8")
            subprocess.run([options.bin / "reprise", "trace", "assemble", text, "-o", trace, "--force"], check=True)
            yield f"{pattern} {ranks} {options.deltas}", trace


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="*")
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--platforms", default="ethernet-10g,infiniband-edr,fat-tree-32")
    parser.add_argument("--networks", default="uncontended,flow,queue")
    parser.add_argument("--patterns", default="halo,cg")
    parser.add_argument("--ranks", default="64")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--deltas", default="mean")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--step", type=float, default=0.01, help="of the differences")
    parser.add_argument("--fast-forward", action="store_true")
    options = parser.parse_args()
    print(
        "| trace | platform | network | exact | sum | error | stated | inside | CPU |\n|---|---|---|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, trace in traces_of(options, pathlib.Path(folder)):
            for platform in options.platforms.split(","):
                for network in options.networks.split(","):
                    base = [options.bin / "reprise", "replay", trace, "-p", platform, "--network", network]
                    base += ["--format", "json"] + ([] if options.fast_forward else ["--no-fast-forward"])
                    why, total, worst, stated, inside, cost = measure(base, options.runs, options.step)
                    print(
                        f"| {name} | {platform} | {network} | {why or 'yes'} | {total:.4f} | {worst:.1e} | "
                        f"{stated:.1e} | {inside}/{len(OPTIONS)} | {cost:.2f} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
