#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the parts of an answer add up? What a replay says of its time, its waiting and its slopes, summed, against the whole.

usage: sums.py --bin BIN [--platforms A,B] [--networks flow,queue,uncontended] [--options "--deltas mean" …] TRACE.reprise…

For each trace, platform and network one replay with `--details critical-path,wait-states,delay-costs,sensitivities`. A row of the table has
the largest relative distance, over the platforms, of

  path        the parts of the critical path from the predicted time
  wait        the wait states of all call sites from the waiting time of all ranks
  delays      direct and chained delay costs and messages' share from all waiting
  slopes      the sum of the elasticities, those of bandwidths with their sign turned, from 1

Exit: 0 where all are below --within (1e-9), 1 where one is not.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys

DETAILS = "critical-path,wait-states,delay-costs,sensitivities"
COLUMNS = ("path", "wait", "delays", "slopes")


def distance(parts, whole):
    """Of a sum from what it should be, relative to it; absolute where that is 0."""
    total = math.fsum(parts)
    return abs(total - whole) / (abs(whole) or 1.0)


def distances(answer):
    """The four of one answer."""
    waited = math.fsum(rank["wait_s"] for rank in answer["ranks"])
    costs = answer["delay_costs"]
    delays = [row["direct_s"] + row["chain_s"] for row in costs["delays"]]
    slopes = [
        -row["elasticity"] if "bandwidth" in row["parameter"] else row["elasticity"] for row in answer["sensitivities"]
    ]
    return (
        distance([part["seconds"] for part in answer["critical_path"]["parts"]], answer["predicted_time_s"]),
        distance([row["seconds"] for row in answer["wait_states"]["by_site"]], waited),
        distance(delays + [costs["messages_s"]], costs["all_s"]),
        distance(slopes, 1.0),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--platforms", default="ethernet-10g,infiniband-edr,fat-tree-32")
    parser.add_argument("--networks", default="uncontended,flow,queue")
    parser.add_argument("--options", nargs="*", default=[], help="further options of replay, one word with spaces")
    parser.add_argument("--within", type=float, default=1e-9)
    options = parser.parse_args()
    further = [word for text in options.options for word in text.split()]
    worst, replays = [0.0] * len(COLUMNS), 0
    print("| trace | network | " + " | ".join(COLUMNS) + " |\n|---|---|" + "---|" * len(COLUMNS))
    for trace in options.traces:
        for network in options.networks.split(","):
            row = [0.0] * len(COLUMNS)
            for platform in options.platforms.split(","):
                command = [options.bin / "reprise", "replay", trace, "-p", platform, "--network", network]
                command += ["--details", DETAILS, "--format", "json", *further]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
                row = [max(pair) for pair in zip(row, distances(json.loads(done.stdout)))]
                replays += 1
            worst = [max(pair) for pair in zip(worst, row)]
            print(f"| {trace.stem} | {network} | " + " | ".join(f"{value:.0e}" for value in row) + " |", flush=True)
    print(f"| all, {replays} replays | | " + " | ".join(f"{value:.0e}" for value in worst) + " |")
    return 0 if max(worst) < options.within else 1


if __name__ == "__main__":
    sys.exit(main())
