#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays on the flow network and on SimGrid's solver and compares the times of all ranks: the flow network's solver is ours, SimGrid's is its reference.

usage: compare.py REPRISE PATTERN...          communication patterns, each on every topology
       compare.py REPRISE FILE.reprise...     recorded traces, each on every topology
       compare.py REPRISE --self-test         a network that is not the reference is found out, every pattern is a test

Tolerance: 1e-9 of the predicted time, and 2e-12 s for each call and message of a rank. SimGrid joins events that are less than its
surf/precision apart, 1e-12 s as platforms/zones/settings.cpp sets it, takes what is left of a flow in units of 1/1024 byte, 1e-13 s on
links of 10 GB/s, and a link with less than 1e-9 of its bandwidth left (maxmin/precision) for full. A message has two events, and
passes their errors on.

One process for each simulation: SimGrid simulates once per process.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parents[1] / "bench" / "replay"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
import patterns  # noqa: E402

RANKS, STEPS, BYTES = 12, 4, 100_000
RELATIVE, PER_MESSAGE = 1e-9, 2e-12
# Not how a call's time divides into communicating and waiting for a partner: where both come at one instant, the smallest difference
# decides who waited for whom.
TIMES = (("compute_s",), ("communication_s", "wait_s"), ("finish_s",))

LINK = {"bandwidth": "12.5 GB/s", "latency": "1 us", "sharing": "full_duplex"}
NARROW = {"bandwidth": "4 GB/s", "latency": "0.7 us"}


def machine(name, topology, link=None, nodes=None, **network):
    return {
        "format": 1,
        "name": name,
        "source": "made up: flow against SimGrid",
        "nodes": {"count": RANKS, "cores": 1, **(nodes or {})},
        "intra_node": {"bandwidth": "10 GB/s", "latency": "0.2 us", "sharing": "shared"},
        "network": {"topology": topology, "link": link or LINK, **network},
        "mpi": {"eager_limit": "64 KiB", "send_overhead": "0.3 us", "recv_overhead": "0.5 us"},
    }


def topologies():
    """Every topology, every kind of sharing, nodes with sockets and several ranks."""
    tree = {"kind": "fat_tree", "levels": [{"down": 4, "up": 1}, {"down": 3, "up": 2, "link": NARROW}]}
    machines = [
        machine("star", {"kind": "star"}),
        machine("star-shared", {"kind": "star"}, link={**LINK, "sharing": "shared"}),
        machine("star-uncontended", {"kind": "star"}, link={**LINK, "sharing": "uncontended"}),
        machine("star-backbone", {"kind": "star", "backbone": {"bandwidth": "30 GB/s", "latency": "0.3 us"}}),
        machine("fat-tree", tree),
        machine("torus", {"kind": "torus", "dimensions": [{"size": 4}, {"size": 3, "link": NARROW}]}),
        machine("dragonfly", {"kind": "dragonfly", "groups": 3, "routers": 2, "nodes": 2, "global_link": NARROW}),
        machine("two-a-node", tree, nodes={"cores": 2}),
        machine("sockets", tree, nodes={"cores": 2, "sockets": 2}),
        machine("interfaces", tree, interface={**NARROW, "count": 2}),
        machine("interface-a-core", tree, nodes={"cores": 2}, interface={**NARROW, "count": 2}),
        machine("striped", tree, interface={**NARROW, "count": 2, "use": "striped"}),
    ]
    machines[-4]["intra_node"]["between_sockets"] = {"bandwidth": "5 GB/s", "latency": "0.1 us", "sharing": "shared"}
    return machines


def ring(_):
    return [f"all: MPI_Sendrecv peer=+1 receive_peer=-1 bytes={BYTES} receive_bytes={BYTES}"]


def permutation(_):
    return [f"all: MPI_Sendrecv peer=+{k} receive_peer=-{k} bytes={BYTES} receive_bytes={BYTES}" for k in (5, 1, 7)]


def all_to_all(_):
    return [f"all: MPI_Alltoall send_bytes={BYTES} receive_bytes_per_peer={BYTES}"]


def mixed_sizes(made):
    sizes = "; ".join(f"{rank}: {(100, 70_000, 5_000, 900_000, 33)[rank % 5] * (1 + rank)}" for rank in range(RANKS))
    return [
        f"all: MPI_Sendrecv peer=+5 receive_peer=-5 bytes={{{sizes}}} receive_bytes=20MB",
        made.computing("MPI_Barrier"),
    ]


def bursts(_):
    """Each rank starts eight messages at once, to four others, then waits for all."""
    lines = [f"all: MPI_Irecv peer=-{1 + k % 4} tag={k} bytes=1MB request={k}" for k in range(8)]
    lines += [f"all: MPI_Isend peer=+{1 + k % 4} tag={k} bytes={(3 + 5 * k) * 2000} request={8 + k}" for k in range(8)]
    return lines + [f"all: MPI_Waitall requests=[{', '.join(map(str, range(16)))}]"]


OWN = {
    "ring": ring,
    "permutation": permutation,
    "pairwise": all_to_all,
    "linear": all_to_all,
    "mixed_sizes": mixed_sizes,
    "bursts": bursts,
}
PATTERNS = (*patterns.PATTERNS, *OWN)
ALGORITHMS = {"pairwise": {"alltoall": "pairwise"}, "linear": {"alltoall": "linear"}}


def text_of(name):
    options = type(
        "Options", (), {"ranks": RANKS, "steps": STEPS, "bytes": BYTES, "compute_us": 20, "deltas": "jitter"}
    )
    made = patterns.Pattern(options)
    if name in OWN:
        setattr(made, name, lambda: OWN[name](made))
    return made.text(name)


def replayed(reprise, trace, platform, network):
    done = subprocess.run(
        [
            reprise,
            "replay",
            trace,
            "-p",
            platform,
            "--network",
            network,
            "--wildcards",
            "recorded",
            "--no-fast-forward",
            "--every-rank",
            "--format",
            "json",
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return done.stderr
    return json.loads(done.stdout)


def difference(ours, reference):
    """Nothing, or where the two answers differ."""
    if isinstance(ours, str) or isinstance(reference, str):
        return f"fails: {ours if isinstance(ours, str) else reference}"
    for key in ("operations", "messages"):
        if ours[key] != reference[key]:
            return f"{key}: {ours[key]} and {reference[key]}"
    count = (ours["operations"] + ours["messages"]) / len(ours["ranks"])
    allowed = RELATIVE * reference["predicted_time_s"] + PER_MESSAGE * count
    for rank, (one, other) in enumerate(zip(ours["ranks"], reference["ranks"])):
        for keys in TIMES:
            a, b = sum(one[key] for key in keys), sum(other[key] for key in keys)
            if abs(a - b) > allowed:
                return (
                    f"{' + '.join(keys)} of rank {rank}: {a} and {b}, {abs(a - b):.2g} s apart, {allowed:.2g} s allowed"
                )
    return None


def cases(reprise, names, folder):
    """(what, trace, platform) for each name on each topology."""
    for name in names:
        trace = name
        if name in PATTERNS:
            text, trace = folder / f"{name}.txt", folder / f"{name}.reprise"
            text.write_text(text_of(name))
            subprocess.run([reprise, "trace", "assemble", text, "-o", trace], check=True)
        for platform in topologies():
            if name in ALGORITHMS:
                platform["mpi"]["collectives"] = ALGORITHMS[name]
            path = folder / f"{platform['name']}-{name if name in PATTERNS else 'recorded'}.json"
            path.write_text(json.dumps(platform))
            yield f"{pathlib.Path(name).stem} on {platform['name']}", trace, path


def main():
    reprise, names = sys.argv[1], sys.argv[2:]
    reference, expects = "simgrid", 0
    listed = (pathlib.Path(__file__).parent / "CMakeLists.txt").read_text(encoding="utf-8")
    if names == ["--self-test"]:
        if missing := [pattern for pattern in PATTERNS if not re.search(rf"\b{pattern}\b", listed)]:
            print(f"CMakeLists.txt does not list {', '.join(missing)}")
            return 1
        reference, names, expects = "queue", ["bursts"], 1
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = list(cases(reprise, names, pathlib.Path(name)))
        answers = [
            (
                what,
                pool.submit(replayed, reprise, trace, platform, "flow"),
                pool.submit(replayed, reprise, trace, platform, reference),
            )
            for what, trace, platform in asked
        ]
        found = [(what, why) for what, ours, other in answers if (why := difference(ours.result(), other.result()))]
    for what, why in found:
        print(f"{what}: {why}")
    print(f"{len(asked)} replays compared, {len(found)} differ")
    return 0 if bool(found) == bool(expects) else 1


if __name__ == "__main__":
    sys.exit(main())
