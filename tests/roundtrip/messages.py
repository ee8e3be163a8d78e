#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sampled messages against what the program knows: both sides choose the same ones, and none is taken for another.

usage: messages.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM MODE        PROGRAM: sampled_messages

MODE plain: wildcards, Waitany, Waitsome, persistent requests, Sendrecv, matched probes, Cancel, a sub- and an intercommunicator; threads: a
stream for each of two threads; shared: one stream for both, which has no order that anybody knows. Two messages on one stream differ in size, so a pair that
is none shows (the loss "sampled messages whose two sides differ"). With 100 % every message that the program has sent is there; with 10 % as many
as the binomial distribution allows in 99 of 100 programs: the choice is by a hash, so a run says the same each time.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

STEPS = 20
LOST = "message streams of unknown order, none of them sampled"
failures = []


def expect(fact, what):
    if not fact:
        failures.append(what)


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recorded(options, folder, which, name):
    """What the program has sent, what the trace says of messages, and its losses by name."""
    trace = f"{name}.reprise"
    command = [options.reprise, "record", "--messages", which, "-o", trace, "--", options.launcher, "-n", options.ranks]
    out = run([*command, options.program, options.mode, STEPS], folder)
    expect(out.splitlines()[1:] == ["sampled_messages: ok"], f"{which}: printed {out!r}")
    findings = json.loads(run([options.reprise, "trace", "check", trace, "--format", "json"], folder))["findings"]
    expect(not [one for one in findings if one["severity"] == "error"], f"{which}: {findings}")
    info = json.loads(run([options.reprise, "trace", "info", trace, "--format", "json"], folder))
    losses = {
        loss["name"]: loss["count"] for loss in info["losses"] if "message" in loss["name"] or "sampled" in loss["name"]
    }
    return int(out.split()[0]), info["messages"], losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("mode")
    options = parser.parse_args()
    options.reprise = options.bin.resolve() / "reprise"
    options.program = options.program.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        sent, all_of_them, losses = recorded(options, folder, "sample:100%", "all")
        if options.mode == "shared":
            expect(losses == {LOST: 2 * options.ranks}, f"losses {losses}")
            expect(all_of_them["joined"] == 0, f"{all_of_them} of a stream without order")
        else:
            expect(losses == {}, f"losses {losses}")
            expect(
                all_of_them == {"mode": "random", "sent": sent, "chosen": sent, "joined": sent},
                f"{all_of_them} of {sent}",
            )
            sent, some, losses = recorded(options, folder, "sample:10%", "some")
            reach = 2.576 * math.sqrt(sent * 0.1 * 0.9)
            expect(losses == {}, f"10 %: losses {losses}")
            expect(abs(some["chosen"] - 0.1 * sent) <= reach, f"10 %: {some['chosen']} of {sent}")
            expect(some["joined"] == some["chosen"], f"10 %: {some}")
            print(f"{sent} messages, {some['joined']} of them sampled at 10 %")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
