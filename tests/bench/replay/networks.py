#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of all patterns, networks, machines and ranks: what a message costs, and how far predicted times are from `flow`'s.

usage: networks.py BUILD_FOLDER [--networks fluid,queue] [--machines fat-tree-1,…] [--patterns halo,…] [--ranks 64,256,1024]
                   [--sizes 10000,50000,200000] [--messages N] [--seconds S] [--reference flow] [--json OUT]

Each pattern (patterns.py) is replayed on each machine, with messages of each size, for about N messages and at least three steps; a replay that
takes more than S seconds of time is given up and shown as such. Machines: fat trees of two levels with as much bandwidth above the leaves
as below, a half and a quarter of it (fat-tree-1, -2, -4), a torus (3D) and a dragonfly, 12.5 GB/s and 1 us a link, one core a node. Linear
all-to-all is the collective of that name with everyone sending at once. Predicted times are exact (no fast-forward); --flow-tolerance is
`flow`'s own. `flow*` is the reference with one rank that computes 1 % longer: how far a program's time
moves for no reason worth the name. Where that is more than 0.5 %, the program is chaotic on that machine and says little of a model; such cases are
summed up apart. The last lines say for each network: the error's median, 90th percentile and worst, and messages per CPU second.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import run  # noqa: E402

PATTERNS = ("halo", "permutation", "bursts", "mixed", "cg", "wavefront", "pairwise", "linear", "incast")
CHAOTIC = 0.005
MACHINES = ("fat-tree-1", "fat-tree-2", "fat-tree-4", "torus", "dragonfly")


def topology(kind, nodes):
    if kind.startswith("fat-tree-"):
        leaf = min(16, nodes)
        above = max(1, leaf // int(kind.rsplit("-", 1)[1]))
        return {
            "kind": "fat_tree",
            "levels": [{"down": leaf, "up": 1, "parallel": 1}, {"down": -(-nodes // leaf), "up": above, "parallel": 1}],
        }
    if kind == "torus":
        sizes = [1, 1, 1]
        while sizes[0] * sizes[1] * sizes[2] < nodes:
            sizes[sizes.index(min(sizes))] *= 2
        return {"kind": "torus", "dimensions": [{"size": size} for size in sizes]}
    routers, on_each = 4, 4
    while routers * on_each * (routers + 1) < nodes:
        routers *= 2
    groups = -(-nodes // (routers * on_each))
    return {"kind": "dragonfly", "groups": max(2, groups), "routers": routers, "nodes": on_each, "global_cables": 2}


def nodes_of(shape):
    if shape["kind"] == "torus":
        a, b, c = (one["size"] for one in shape["dimensions"])
        return a * b * c
    if shape["kind"] == "dragonfly":
        return shape["groups"] * shape["routers"] * shape["nodes"]
    return shape["levels"][0]["down"] * shape["levels"][1]["down"]


def machine(kind, ranks):
    shape = topology(kind, ranks)
    return {
        "format": 1,
        "name": f"{kind}-{ranks}",
        "source": "made up: the benchmarks' machine",
        "nodes": {"count": nodes_of(shape), "cores": 1},
        "intra_node": {"bandwidth": "12.5 GB/s", "latency": "0.2 us", "sharing": "shared"},
        "network": {"topology": shape, "link": {"bandwidth": "12.5 GB/s", "latency": "1 us", "sharing": "full_duplex"}},
        "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 us", "recv_overhead": "0 us"},
    }


def replay(reprise, trace, platform, network, pattern, seconds):
    """The answer; None where it takes too long."""
    command = [
        reprise,
        "replay",
        trace,
        "-p",
        platform,
        "--network",
        network.rstrip("*"),
        "--no-fast-forward",
        "--stats",
        "--no-mean-times",
    ]
    if network.endswith("*"):
        command.append("--compute=rank:0=1.01x")
    command += ["--format", "json", "--quiet"]
    if pattern in ("linear", "pairwise"):
        command.append(f"--set=/mpi/collectives/alltoall={pattern}")
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def errors_of(rows, networks):
    for network in networks:
        errors = [(abs(row["errors"][network]), row) for row in rows if network in row["errors"]]
        if not errors:
            continue
        sizes = [size for size, _ in errors]
        worst = max(errors, key=lambda pair: pair[0])[1]
        print(
            f"{network}: |error| median {share(sizes, 0.5):.2%}, 90th percentile {share(sizes, 0.9):.2%}, worst {max(sizes):.2%} "
            f"({worst['pattern']}, {worst['machine']}, {worst['ranks']} ranks, {worst['bytes']} bytes), {len(sizes)} cases"
        )
        for key in ("pattern", "machine", "ranks"):
            groups = collections.defaultdict(list)
            for size, row in errors:
                groups[row[key]].append(size)
            print("  " + ", ".join(f"{k} {share(v, 0.5):.2%}/{max(v):.2%}" for k, v in groups.items()))


def summary(rows, networks, moved):
    chaotic = [row for row in rows if abs(row["errors"].get(moved, 0)) > CHAOTIC]
    print(f"{len(rows) - len(chaotic)} cases that are not chaotic:")
    errors_of([row for row in rows if row not in chaotic], networks)
    if chaotic:
        print(f"{len(chaotic)} that are:")
        errors_of(chaotic, networks)
    for network in networks:
        for ranks in sorted({row["ranks"] for row in rows}):
            costs = [row["cost"][network] for row in rows if row["ranks"] == ranks and network in row["cost"]]
            if costs:
                print(f"{network}, {ranks} ranks: us a message, median {share(costs, 0.5):.2f}, worst {max(costs):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--networks", default="fluid,queue,uncontended")
    parser.add_argument("--reference", default="flow")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--patterns", default=",".join(PATTERNS))
    parser.add_argument("--ranks", default="64,256,1024")
    parser.add_argument("--sizes", default="10000,50000,200000")
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    reprise, rows = options.build / "bin/reprise", []
    moved = options.reference + "*"
    networks = [options.reference, moved] + [n for n in options.networks.split(",") if n != options.reference]
    print(
        f"{'pattern':12} {'machine':11} {'ranks':>5} {'bytes':>7} {'messages':>8} {options.reference + ', s':>10}",
        end="",
    )
    print(
        "".join(f" {n + ', %':>14}" for n in networks[1:]), "  CPU us a message:", ", ".join(networks), "  MB:", "same"
    )
    for pattern in options.patterns.split(","):
        for ranks in map(int, options.ranks.split(",")):
            for size in map(int, options.sizes.split(",")):
                with tempfile.TemporaryDirectory() as name:
                    folder, platform = pathlib.Path(name), pathlib.Path(name) / "machine.json"
                    program = "alltoall" if pattern in ("linear", "pairwise") else pattern
                    trace, steps = None, 3
                    for kind in options.machines.split(","):
                        platform.write_text(json.dumps(machine(kind, ranks)))
                        if trace is None:
                            trace = run.make_trace(reprise, folder, program, ranks, 1, size, "jitter")
                            once = replay(reprise, trace, platform, "uncontended", pattern, options.seconds)
                            steps = max(3, options.messages // once["messages"])
                            if pattern in ("linear", "pairwise") and steps * once["messages"] > 10 * options.messages:
                                steps = 1
                            trace = run.make_trace(reprise, folder, program, ranks, steps, size, "jitter")
                        row = {"pattern": pattern, "machine": kind, "ranks": ranks, "bytes": size, "steps": steps}
                        row |= {"seconds": {}, "errors": {}, "cost": {}, "memory": {}}
                        for network in networks:
                            answer = replay(reprise, trace, platform, network, pattern, options.seconds)
                            if answer is None:
                                continue
                            row["messages"] = answer["messages"]
                            row["seconds"][network] = answer["predicted_time_s"]
                            row["cost"][network] = answer["simulation"]["cpu_s"] / answer["messages"] * 1e6
                            row["memory"][network] = answer["simulation"]["peak_rss_bytes"] / 1e6
                            if network != options.reference and options.reference in row["seconds"]:
                                row["errors"][network] = (
                                    answer["predicted_time_s"] / row["seconds"][options.reference] - 1
                                )
                        rows.append(row)
                        text = f"{pattern:12} {kind:11} {ranks:5} {size:7} {row.get('messages', 0):8} "
                        text += f"{row['seconds'].get(options.reference, float('nan')):10.6f}"
                        text += "".join(f" {100 * row['errors'].get(n, float('nan')):+14.2f}" for n in networks[1:])
                        for key, digits in (("cost", 2), ("memory", 0)):
                            text += "   " + " ".join(f"{row[key].get(n, float('nan')):6.{digits}f}" for n in networks)
                        print(text, flush=True)
    summary(rows, networks, moved)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
