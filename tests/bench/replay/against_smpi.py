#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sets `reprise replay` beside SimGrid's `smpirun -replay`: the same trace, the same platform file, the same protocols and algorithms.

usage: against_smpi.py --reprise BIN/reprise [--ranks 16,64,256,1024,8192] [--pattern halo] [--runs 3] [--fat-tree] [TRACE.reprise…]

Without traces: a pattern of patterns.py at each number of ranks. Each trace is exported as time-independent traces, whose deltas are
those that the replay plays. Runs of the two alternate; CPU time is user plus system of the whole process, the median is taken. Needs
smpirun (Debian: libsimgrid-dev) and, for many ranks, as many open files as there are ranks.

How SMPI is set, and why (SimGrid 3.32):
  network/model CM02, factors 1, TCP-gamma 0, crosstraffic no, weight-S 0   flows weigh by latency alone, as the replay is told to
  smpi/async-small-thresh, send-is-detached-thresh 65536   messages below go when they are sent (eager), as a platform file says here too
  smpi/os, ois, or 0   no overheads, as the platform file says
  smpi/allreduce rdb, barrier ompi_bruck, bcast and reduce binomial, allgather ring, alltoall pair   our `simple` algorithms, which the
                                                                             replay is told to take whatever MPI recorded the trace
  surf/precision 1e-12   smpirun's own 1e-9 would be an error of 1e-3 on a microsecond
  contexts/stack-size 64 kB, guard 0   without which thousands of ranks do not fit
What stays different: SMPI adds 16 bytes of envelope to each message, starts late rendezvous with their latency (here the head has
come already), and prints the time in whole microseconds.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STEPS = {16: 2000, 64: 500, 256: 100, 1024: 20, 4096: 2, 8192: 1}  # SMPI needs minutes at 8192
SETTINGS = {
    "network/model": "CM02",
    "network/latency-factor": "1",
    "network/bandwidth-factor": "1",
    "network/TCP-gamma": "0",
    "network/crosstraffic": "no",
    "network/weight-S": "0",
    "surf/precision": "1e-12",
    "smpi/async-small-thresh": "65536",
    "smpi/send-is-detached-thresh": "65536",
    "smpi/os": "0:0:0",
    "smpi/ois": "0:0:0",
    "smpi/or": "0:0:0",
    "smpi/allreduce": "rdb",
    "smpi/barrier": "ompi_bruck",
    "smpi/bcast": "binomial_tree",
    "smpi/reduce": "binomial",
    "smpi/allgather": "ring",
    "smpi/alltoall": "pair",
    "contexts/stack-size": "64",
    "contexts/guard-size": "0",
}


def timed(command):
    """Output and CPU seconds of a command with all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_platform(folder, ranks, fat_tree):
    shape = ""
    if fat_tree:
        leaf = min(16, ranks)
        shape = f' topology="FAT_TREE" topo_parameters="2;{leaf},{-(-ranks // leaf)};1,{max(1, leaf // 2)};1,1"'
    platform = folder / "platform.xml"
    platform.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
        f'<cluster id="c" prefix="n" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="12.5GBps" lat="1us"{shape}/>\n</platform>\n'
    )
    hosts = folder / "hosts"
    hosts.write_text("".join(f"n{r}\n" for r in range(ranks)))
    return platform, hosts


def replay(reprise, trace, platform):
    answer, cpu = timed(
        [
            reprise,
            "replay",
            "--no-fast-forward",
            trace,
            "--platform",
            platform,
            "--set",
            '/mpi/collectives/selection="simple"',
            "--set",
            '/network/weight_s="0 B"',
            "--format",
            "json",
        ]
    )
    outcome = json.loads(answer)
    return outcome["predicted_time_s"], outcome["messages"], cpu


def smpi(index, platform, hosts, ranks):
    options = [f"--cfg={name}:{value}" for name, value in SETTINGS.items()]
    answer, cpu = timed(
        [
            "smpirun",
            "-np",
            str(ranks),
            "-platform",
            platform,
            "-hostfile",
            hosts,
            "-no-privatize",
            "-replay",
            index,
            *options,
            "--log=root.thresh:critical",
            "--log=smpi_replay.thresh:info",
        ]
    )
    found = re.search(r"Simulation time (\S+)", answer)
    if not found:
        sys.exit(f"smpirun -replay {index} says no time:\n{answer}")
    return float(found.group(1)), cpu


def compare(reprise, name, trace, runs, fat_tree, folder):
    ranks = json.loads(
        subprocess.run([reprise, "trace", "info", trace, "--format", "json"], capture_output=True, check=True).stdout
    )["ranks"]
    platform, hosts = write_platform(folder, ranks, fat_tree)
    exported = folder / "ti"
    subprocess.run([reprise, "export", trace, "-o", exported], check=True, capture_output=True)
    ours, theirs = [], []
    for _ in range(runs):
        time, messages, cpu = replay(reprise, trace, platform)
        ours.append(cpu)
        their_time, cpu = smpi(exported / "ti.txt", platform, hosts, ranks)
        theirs.append(cpu)
    for file in exported.iterdir():
        file.unlink()
    own, other = statistics.median(ours), statistics.median(theirs)
    print(
        f"| {name} | {ranks} | {messages} | {time:.6f} | {their_time:.6f} | {100 * (time / their_time - 1):+.3f} % "
        f"| {messages / own / 1e3:.0f} | {messages / other / 1e3:.1f} | {other / own:.1f} |",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--ranks", default="16,64,256,1024")
    parser.add_argument("--pattern", default="halo")
    parser.add_argument("--bytes", default="256")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--fat-tree", action="store_true")
    parser.add_argument("traces", nargs="*")
    options = parser.parse_args()
    reprise = str(pathlib.Path(options.reprise).resolve())
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(
        "| trace | ranks | messages | reprise s | SMPI s | difference | reprise k msg/CPU-s | SMPI k msg/CPU-s | ratio |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for trace in options.traces:
            compare(reprise, pathlib.Path(trace).stem, os.path.abspath(trace), options.runs, options.fat_tree, folder)
        for ranks in [] if options.traces else map(int, options.ranks.split(",")):
            text, trace = folder / "pattern.txt", folder / "pattern.reprise"
            made = subprocess.run(
                [
                    sys.executable,
                    HERE / "patterns.py",
                    options.pattern,
                    str(ranks),
                    str(STEPS.get(ranks, 20)),
                    "--bytes",
                    options.bytes,
                ],
                capture_output=True,
                check=True,
            ).stdout
            text.write_bytes(made)
            subprocess.run([reprise, "trace", "assemble", text, "-o", trace, "--force"], check=True)
            compare(reprise, options.pattern, trace, options.runs, options.fat_tree, folder)


if __name__ == "__main__":
    main()
