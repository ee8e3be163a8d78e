#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a replay costs: messages per CPU second, instructions per message, bytes per rank, for each network and pattern.

usage: run.py BUILD_FOLDER [--patterns halo,cg] [--ranks 16,64] [--networks flow,queue,uncontended] [--messages N]
              [--bytes N] [--deltas mean|jitter|none] [--instructions] [--json OUT] [--platform PLATFORM] [--option=--set=…]

Every trace is made to stand for about N messages (default 300 000), so a line takes seconds. CPU time is that of the whole process,
start-up included; fast-forward is off. Instructions per message are counted by callgrind as the difference of two run lengths, so
that start-up cancels out, and split into SimGrid's library and the rest (ours, and the C library's for us).
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import machine  # noqa: E402
import patterns  # noqa: E402


def make_trace(reprise, folder, pattern, ranks, steps, size, deltas):
    text, trace = folder / "trace.txt", folder / f"{pattern}-{ranks}-{steps}.reprise"
    with open(text, "w") as out:
        subprocess.run(
            [
                sys.executable,
                HERE / "patterns.py",
                pattern,
                str(ranks),
                str(steps),
                "--bytes",
                str(size),
                "--deltas",
                deltas,
            ],
            stdout=out,
            check=True,
        )
    subprocess.run([reprise, "trace", "assemble", text, "-o", trace, "--force"], check=True)
    return trace


OPTIONS = []  # of every replay


def replay(reprise, trace, platform, network, tool=()):
    done = subprocess.run(
        [
            *tool,
            reprise,
            "replay",
            trace,
            "-p",
            platform,
            "--network",
            network,
            "--no-fast-forward",
            *OPTIONS,
            "--stats",
            "--no-mean-times",
            "--format",
            "json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def instructions(reprise, trace, platform, network, folder):
    """Of the run: all, and those in SimGrid's library."""
    out = folder / "callgrind.out"
    answer = replay(reprise, trace, platform, network, ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"])
    total = simgrid = 0
    listing = subprocess.run(
        ["callgrind_annotate", "--threshold=100", out], capture_output=True, text=True, check=True
    ).stdout
    for line in listing.splitlines():
        found = re.match(r"\s*([\d,]+) \([^)]*\)\s+(.*)", line)
        if not found:
            continue
        count = int(found[1].replace(",", ""))
        if found[2].startswith("PROGRAM TOTALS"):
            total = count
        elif "libsimgrid" in found[2]:
            simgrid += count
    return total, simgrid, answer["messages"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--patterns", default="halo")
    parser.add_argument("--ranks", default="16,64,256,1024")
    parser.add_argument("--networks", default="flow,queue,uncontended")
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--bytes", type=int, default=256)
    parser.add_argument("--deltas", default="jitter")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--platform", help="instead of the benchmarks' machine")
    parser.add_argument(
        "--option", action="append", default=[], help="of reprise replay, such as --option=--placement=cyclic"
    )
    options = parser.parse_args()
    OPTIONS.extend(options.option)
    reprise, rows = options.build / "bin/reprise", []
    columns = "messages  CPU s  messages/CPU s  bytes/rank  trace bytes  predicted s    to flow"
    print(
        f"{'pattern':12} {'ranks':>6} {'network':>11} {columns}"
        + ("  instructions/message: all, SimGrid's" if options.instructions else "")
    )
    for pattern in options.patterns.split(",") if options.patterns != "all" else patterns.PATTERNS:
        for ranks in map(int, options.ranks.split(",")):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                platform = options.platform or folder / "machine.json"
                if not options.platform:
                    platform.write_text(json.dumps(machine.machine(ranks)))
                one = make_trace(reprise, folder, pattern, ranks, 1, options.bytes, options.deltas)
                per_step = replay(reprise, one, platform, "uncontended")["messages"]
                steps = max(2, options.messages // per_step)
                trace = make_trace(reprise, folder, pattern, ranks, steps, options.bytes, options.deltas)
                flow = None
                for network in options.networks.split(","):
                    idle = replay(reprise, one, platform, network)["simulation"]["peak_rss_bytes"]
                    answer = replay(reprise, trace, platform, network)
                    cost = answer["simulation"]
                    flow = flow or answer["predicted_time_s"]
                    row = {
                        "pattern": pattern,
                        "ranks": ranks,
                        "steps": steps,
                        "network": network,
                        "messages": answer["messages"],
                        "cpu_s": cost["cpu_s"],
                        "messages_per_cpu_s": cost["messages_per_cpu_s"],
                        "bytes_per_rank": cost["peak_rss_bytes"] / ranks,
                        "one_step_bytes_per_rank": idle / ranks,
                        "trace_bytes": trace.stat().st_size,
                        "predicted_time_s": answer["predicted_time_s"],
                        "ratio_to_first": answer["predicted_time_s"] / flow,
                    }
                    text = (
                        f"{pattern:12} {ranks:6} {network:>11} {row['messages']:8} {row['cpu_s']:6.2f} {row['messages_per_cpu_s']:15.0f} "
                        f"{row['bytes_per_rank']:11.0f} {row['trace_bytes']:12} {row['predicted_time_s']:12.6f} {row['ratio_to_first']:10.6f}"
                    )
                    if options.instructions:
                        short = make_trace(
                            reprise, folder, pattern, ranks, max(1, steps // 20), options.bytes, options.deltas
                        )
                        longer = make_trace(
                            reprise, folder, pattern, ranks, 2 * max(1, steps // 20), options.bytes, options.deltas
                        )
                        a, b = (instructions(reprise, t, platform, network, folder) for t in (short, longer))
                        more = b[2] - a[2]
                        row["instructions_per_message"] = (b[0] - a[0]) / more
                        row["simgrid_instructions_per_message"] = (b[1] - a[1]) / more
                        text += (
                            f" {row['instructions_per_message']:12.0f} {row['simgrid_instructions_per_message']:12.0f}"
                        )
                    print(text, flush=True)
                    rows.append(row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
