#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays in SMPI, on the SimGrid file that `platform show --format simgrid` writes, take what our replays take on the platform itself.

usage: smpirun.py REPRISE

Every topology, every kind of sharing, links shared by latency as SMPI does; SMPI is told nothing that does not stand in the file, but to
solve all flows at every change: its lazy updates leave flows out (docs/MODEL.md, Shares by latency). Held to 0.3 %: SMPI prints whole
microseconds and adds an envelope of 16 bytes to each message. All messages are eager: one by rendezvous SMPI starts with its latency when both
sides have met, where ours has sent its head before (docs/RESULTS.md). One process a node, none inside nodes.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import compare

TOLERANCE = 0.003
FULL = ["--cfg=network/optim:Full", "--cfg=network/maxmin-selective-update:no"]
CALLS = [f"all: MPI_Sendrecv peer=+{k} receive_peer=-{k} bytes=300kB receive_bytes=300kB" for k in (5, 1, 7, 3)]
CALLS += ["all: MPI_Sendrecv peer=+2 receive_peer=-2 bytes=1kB receive_bytes=1kB"] * 4


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def hosts_of(file):
    names = re.findall(r'<host id="([^"]+)"', file)
    return names or [f"node-{i}" for i in range(int(re.search(r'radical="0-(\d+)"', file)[1]) + 1)]


def main():
    reprise = sys.argv[1]
    too_far = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = [line.replace("all: ", "") for line in CALLS * 5]
        text = f"reprise-text 1\nranks {compare.RANKS}\nthread 0 {{\n" + "\n".join(lines) + "\n}\n"
        (folder / "in.txt").write_text(text)
        run(reprise, "trace", "assemble", "in.txt", "-o", "in.reprise", folder=folder)
        run(reprise, "export", "in.reprise", "-o", "ti", folder=folder)
        for machine in compare.topologies():
            machine["mpi"]["eager_limit"] = "1 MiB"
            machine["mpi"]["rendezvous_handshake"] = False  # which SMPI does not have
            machine["mpi"]["recv_overhead"] = "0 us"  # which SMPI does not charge for a sendRecv
            machine["network"].update({"sharing": "latency_weighted", "weight_s": "8775 B", "tcp_gamma": "4 MiB"})
            (folder / "machine.json").write_text(json.dumps(machine))
            run(reprise, "platform", "show", "machine.json", "--format", "simgrid", "-o", "machine.xml", folder=folder)
            hosts = hosts_of((folder / "machine.xml").read_text())
            per_node = len(hosts) // compare.RANKS
            (folder / "hosts").write_text("\n".join(hosts[::per_node]) + "\n")
            answer = run(
                reprise,
                "replay",
                "in.reprise",
                "-p",
                "machine.json",
                "--placement",
                "cyclic",
                "--format",
                "json",
                folder=folder,
            )
            ours = json.loads(answer)["predicted_time_s"]
            command = ["smpirun", "-np", str(compare.RANKS), "-platform", "machine.xml", "-hostfile", "hosts", *FULL]
            quiet = ["--log=root.thresh:critical", "--log=smpi_replay.thresh:info"]
            printed = run(*command, "-no-privatize", "-replay", "ti/ti.txt", *quiet, folder=folder)
            theirs = float(re.search(r"Simulation time (\S+)", printed)[1])
            error = theirs / ours - 1
            print(f"{machine['name']:18} ours {ours:.6f} s, SMPI {theirs:.6f} s, {100 * error:+.2f} %")
            too_far += abs(error) > TOLERANCE
    return 1 if too_far else 0


if __name__ == "__main__":
    sys.exit(main())
