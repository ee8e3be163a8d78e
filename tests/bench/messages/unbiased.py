#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether sampled messages take as long as all messages of the same run, and which ones a way of choosing takes.

usage: unbiased.py --bin FOLDER --launcher MPIRUN [--shares 1,10,50] -- PROGRAM [ARGUMENTS]

Records the program on two ranks with every message and its raw times (REPRISE_MESSAGE_EVENTS). What `sample:P%` takes of this run is known: the
messages whose hash is below the share. Their latencies and all messages' are compared by Kolmogorov and Smirnov's test of two samples (asymptotic p;
the subset is not independent of the whole, so p is conservative). The same for what `timer:1ms` would take, from the raw times: the first send of a rank a
millisecond or more after the one before that it took. Last, how many messages the recorder itself takes in each mode. Prints Markdown.
"""
import argparse
import bisect
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile

MASK = (1 << 64) - 1


def mixed(value):
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def chance(stream, number):
    """The hash of recorder/capture/message_choice.hpp, from 0 to 1."""
    return (mixed((stream + (number + 1) * 0x9E3779B97F4A7C15) & MASK) >> 32) / 2**32


def kolmogorov_smirnov(some, everything):
    some, everything = sorted(some), sorted(everything)
    reach = 0.0
    for value in set(some) | set(everything[:: max(1, len(everything) // 2000)]):
        below = bisect.bisect_right(some, value) / len(some)
        reach = max(reach, abs(below - bisect.bisect_right(everything, value) / len(everything)))
    scale = reach * math.sqrt(len(some) * len(everything) / (len(some) + len(everything)))
    p = 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * scale * scale) for k in range(1, 101))
    return reach, 1.0 if scale < 0.2 else min(1.0, max(0.0, p))


def record(options, folder, which, events):
    command = [options.bin / "reprise", "record", "--force", "-q", "--messages", which, "-o", "run.reprise", "--"]
    environment = dict(os.environ, REPRISE_MESSAGE_EVENTS=folder) if events else os.environ
    command += [options.launcher, "-n", "2", *options.program]
    subprocess.run([str(word) for word in command], cwd=folder, env=environment, check=True, capture_output=True)
    answer = [options.bin / "reprise", "trace", "messages", "run.reprise", "--format", "json"]
    return json.loads(subprocess.run(answer, cwd=folder, check=True, capture_output=True).stdout)


def sizes_of(messages):
    counts = {}
    for one in messages:
        counts[one["bytes"]] = counts.get(one["bytes"], 0) + 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--shares", default="1,10,50")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    with tempfile.TemporaryDirectory() as folder:
        record(options, folder, "sample:100%", True)
        messages = []
        for path in pathlib.Path(folder).glob("messages-*.csv"):
            with path.open(encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    one = {key: int(value, 16 if key == "stream" else 10) for key, value in row.items()}
                    one["latency"] = one["receive_end"] - one["send_begin"]
                    messages.append(one)
        everything = [one["latency"] for one in messages]
        print(
            f"{len(messages)} messages in the run\n\n| taken | of them | D | p | largest share of one size |\n|---|---|---|---|---|"
        )
        chosen = [
            (f"sample:{share}%", [m for m in messages if chance(m["stream"], m["number"]) < float(share) / 100])
            for share in options.shares.split(",")
        ]
        timed, last = [], {}
        for one in sorted(messages, key=lambda m: m["send_begin"]):
            if one["send_begin"] - last.get(one["sender"], -(10**18)) >= 10**6:
                last[one["sender"]] = one["send_begin"]
                timed.append(one)
        for name, some in [*chosen, ("timer:1ms", timed)]:
            reach, p = kolmogorov_smirnov([one["latency"] for one in some], everything)
            largest = 100 * max(sizes_of(some).values()) / len(some)
            print(f"| {name} | {len(some)} | {reach:.3f} | {p:.3g} | {largest:.0f} % |")
        print("\n| recorded with | chosen | of | share | binomial 99 % | joined |\n|---|---|---|---|---|---|")
        for which in (
            "sample:1%",
            "sample:10%",
            "sample:50%",
            "sample:90%",
            "counter:2",
            "counter:16~4",
            "counter:256~64",
            "timer:1ms",
        ):
            answer = record(options, folder, which, False)
            sent, count, interval = answer["messages_sent"], answer["messages_chosen"], ""
            if which.startswith("sample"):
                share = float(which[7:-1]) / 100
                reach = 2.576 * math.sqrt(sent * share * (1 - share))
                interval = f"{share * sent - reach:.0f} … {share * sent + reach:.0f}"
            print(
                f"| {which} | {count} | {sent} | {100 * count / sent:.2f} % | {interval} | {answer['messages_joined']} |"
            )


if __name__ == "__main__":
    main()
