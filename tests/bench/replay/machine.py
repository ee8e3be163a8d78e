#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmarks' machine as a platform file: a fat tree of as many one-core nodes as there are ranks, 12.5 GB/s and 1 us a link.

usage: machine.py NODES > MACHINE.json

Up to 4096 nodes two levels, 16 nodes a leaf switch, 8 cables up from each (2 : 1); beyond that three levels with leaves of 64.
"""
import json
import sys


def levels(nodes):
    leaf = min(16, nodes) if nodes <= 4096 else 64
    above = -(-nodes // leaf)
    if nodes <= 4096:
        return [{"down": leaf, "up": 1, "parallel": 1}, {"down": above, "up": max(1, leaf // 2), "parallel": 1}]
    middle = 32
    return [
        {"down": leaf, "up": 1, "parallel": 1},
        {"down": middle, "up": 32, "parallel": 1},
        {"down": -(-above // middle), "up": 32, "parallel": 1},
    ]


def machine(nodes):
    return {
        "format": 1,
        "name": f"bench-{nodes}",
        "source": "made up: the benchmarks' machine",
        "nodes": {"count": nodes, "cores": 1},
        "intra_node": {"bandwidth": "12.5 GB/s", "latency": "0.2 us", "sharing": "shared"},
        "network": {
            "topology": {"kind": "fat_tree", "levels": levels(nodes)},
            "link": {"bandwidth": "12.5 GB/s", "latency": "1 us", "sharing": "full_duplex"},
        },
        "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 us", "recv_overhead": "0 us"},
    }


if __name__ == "__main__":
    json.dump(machine(int(sys.argv[1])), sys.stdout, indent=2)
