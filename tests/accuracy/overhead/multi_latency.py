#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Experiment 3-A of Farah, Schnorr and Vincent, for predictions: osu_multi_lat alone, recorded, and predicted from its recordings.

usage: multi_latency.py run --bin FOLDER --program OSU_MULTI_LAT -o FOLDER [--runs 30] [--added "5 us"] [--iterations 10000]
       multi_latency.py report --bin FOLDER -o FOLDER

`run` adds rounds to those in the folder; each runs the program alone, recorded with compensation, and recorded without, one after another.
`report` makes a platform of the mean latencies measured alone (reprise platform calibrate --osu), replays every recording on it and compares the
mean time of a message, over all sizes, with that of the program alone:

  instrumented  what the recorded program itself measures
  recorded      predicted from recordings without compensation
  constant      the same, less one constant for each event on the critical path: the recorder's overhead between calls in a row, as traditional methods take it
  frequency     predicted from recordings with compensation
  platform      predicted without any computing: what the platform alone makes of the messages, so that its error is seen

Of the computing between two messages one event a message is on the critical path: that before the send. The computing before a receive passes while
the message is under way.

The program: OSU micro-benchmarks, mpi/pt2pt, built with a largest message of 1 KiB where the latencies are to be near a straight line.
--added makes every wrapper slower by a time that the recorder does not see (REPRISE_ADDED_OVERHEAD). Output: a Markdown table.
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

SKIPPED = 100  # round trips before each size is measured


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def latencies(output):
    """Microseconds by size."""
    return {int(size): float(time) for size, time in re.findall(r"^(\d+)\s+([\d.]+)\s*$", output, re.M)}


def measure(options):
    options.output.mkdir(parents=True, exist_ok=True)
    results = options.output / "rounds.json"
    rounds = json.loads(results.read_text()) if results.exists() else []
    launch = [options.launcher, "-n", 2, *options.launcher_options.split()]
    program = [options.program.resolve(), "-i", options.iterations]
    recorder = options.recorder or options.bin.resolve().parent / "lib/libreprise-recorder.so"
    for _ in range(options.runs):
        number = len(rounds)
        entry = {"added": options.added, "iterations": options.iterations, "alone": latencies(run([*launch, *program]))}
        for compensation in ("on", "off"):
            variables = {
                "LD_PRELOAD": recorder,
                "REPRISE_OUTPUT": options.output.resolve() / f"{number}-{compensation}.reprise",
            }
            variables |= {"REPRISE_SNAPSHOT": "0", "REPRISE_COMPENSATION": compensation}
            if options.added:
                variables["REPRISE_ADDED_OVERHEAD"] = options.added
            words = [f"{name}={value}" for name, value in variables.items()]
            entry[compensation] = latencies(run([*launch, "env", *words, *program]))
        rounds.append(entry)
        results.write_text(json.dumps(rounds))


def predicted(options, trace, messages, *more):
    """Microseconds a message."""
    command = [options.bin / "reprise", "replay", trace, "-p", options.output / "platform.json", "--format", "json"]
    answer = json.loads(run([*command, "--no-mean-times", "--quiet", *more]))
    return answer["predicted_time_s"] * 1e6 / messages


def report(options):
    rounds = json.loads((options.output / "rounds.json").read_text())
    sizes = sorted(int(size) for size in rounds[0]["alone"])
    table = "# OSU MPI Latency Test\n# Size          Latency (us)\n"
    for size in sizes:
        table += f"{size:<10} {statistics.mean(entry['alone'][str(size)] for entry in rounds):.4f}\n"
    (options.output / "alone.txt").write_text(table)
    calibrate = [
        "calibrate",
        "--osu",
        options.output / "alone.txt",
        "--cores",
        2,
        "-o",
        options.output / "platform.json",
    ]
    run([options.bin / "reprise", "platform", *calibrate])
    names = ("alone", "instrumented", "recorded", "constant", "frequency", "platform")
    rows = {name: [] for name in names}
    taken_off = []
    for number, entry in enumerate(rounds):
        messages = 2 * (entry["iterations"] + SKIPPED) * len(sizes)
        with_it, without = (options.output / f"{number}-{compensation}.reprise" for compensation in ("on", "off"))
        info = json.loads(run([options.bin / "reprise", "trace", "info", with_it, "--format", "json"]))
        rows["alone"].append(statistics.mean(entry["alone"].values()))
        rows["instrumented"].append(statistics.mean(entry["on"].values()))
        rows["recorded"].append(predicted(options, without, messages))
        constant = info["compensation"]["call"][0]["overhead_s"] * 1e6
        rows["constant"].append(rows["recorded"][-1] - constant)
        rows["frequency"].append(predicted(options, with_it, messages))
        rows["platform"].append(predicted(options, with_it, messages, "--compute", "0x"))
        taken = info["times_apart"]["compensation"]
        taken_off.append(taken["sum_s"] * 1e9 / taken["count"])
    truth = statistics.mean(rows["alone"])
    print(f"{len(rounds)} rounds, {sizes[0]} to {sizes[-1]} bytes, added {rounds[0]['added'] or '0'}\n")
    print("| | mean of a message, us | standard error, us | against alone |")
    print("|---|---|---|---|")
    of_truth = statistics.stdev(rows["alone"]) / math.sqrt(len(rounds))
    for name, values in rows.items():
        mean, error = statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))
        off = f"{100 * (mean / truth - 1):+.2f} %, {abs(mean - truth) / math.hypot(error, of_truth):.2f} SE"
        print(f"| {name} | {mean:.4f} | {error:.4f} | {off if name != 'alone' else ''} |")
    print(f"\ntaken off an event: {statistics.mean(taken_off):.1f} ns in the mean")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("run", "report"))
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--iterations", type=int, default=10_000)
    parser.add_argument("--added", default="")
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--launcher-options", default="--bind-to core")
    parser.add_argument("--recorder", type=pathlib.Path)
    options = parser.parse_args()
    if options.what == "report":
        return report(options)
    if options.program is None:
        parser.error("--program: the osu_multi_lat that is to run")
    measure(options)


if __name__ == "__main__":
    main()
