#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A transport sweep that takes what is ready: what is kept of the order in which requests completed.

usage: completions.py --bin FOLDER --launcher MPIRUN PROGRAM        PROGRAM: sweep_polls

On 4 ranks the calls that completed something are as many as the program counts itself, with representatives and call by call; the trace has
no error that `trace check` finds, and a strict replay plays it on two machines. With representatives four times the steps take no tenth more bytes: how
well the first phases fold differs from run to run (3.4 to 5.0 kB of the same program), so the smallest of five recordings is compared with the largest of
five of fewer steps; call by call it would be over three times as large.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RANKS = 4
POLLS = ("MPI_Testany", "MPI_Testsome", "MPI_Waitsome")
PLATFORMS = ("ethernet-10g", "infiniband-edr")
failures = []


def expect(fact, what):
    if not fact:
        failures.append(what)


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recorded(options, folder, steps, completions, number=0):
    trace = f"{completions}-{steps}-{number}.reprise"
    command = [options.reprise, "record", "--completions", completions, "--order", "none", "-o", trace, "--"]
    out = run([*command, options.launcher, "-n", RANKS, options.program, steps, "count"], folder)
    lines = out.splitlines()
    expect(lines[1:] == ["sweep_polls: ok"], f"{trace}: printed {out!r}")
    info = json.loads(run([options.reprise, "trace", "info", trace, "--format", "json"], folder))
    counted = [int(word) for word in lines[0].split()]
    made = [info["procedures"].get(name, 0) for name in POLLS]
    expect(made == counted, f"{trace}: {made} calls of {POLLS}, the program made {counted}")
    expect(info["losses"] == [], f"{trace}: losses {info['losses']}")
    phases = info.get("completions")
    if completions == "exact":
        expect(phases is None, f"{trace}: phases {phases} of exact completions")
    else:
        expect(phases is not None and phases["represented"] > 0.8 * phases["phases"] > 0, f"{trace}: phases {phases}")
    for finding in json.loads(run([options.reprise, "trace", "check", trace, "--format", "json"], folder))["findings"]:
        expect(finding["severity"] == "notice", f"{trace}: {finding}")
    for platform in PLATFORMS:
        replay = [options.reprise, "replay", trace, "--strict", "--platform", platform, "--format", "json"]
        outcome = json.loads(run(replay, folder) or "{}")
        expect(outcome.get("operations") == info["operations"], f"{trace}, {platform}: {outcome.get('operations')}")
    return info["file_bytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    options.reprise = options.bin.resolve() / "reprise"
    options.program = options.program.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        recorded(options, folder, 30, "exact")
        few = [recorded(options, folder, 600, "represented", n) for n in range(5)]
        many = [recorded(options, folder, 2400, "represented", n) for n in range(5)]
        expect(min(many) <= 1.1 * max(few), f"{few} bytes, with four times the steps {many}")
        print(f"{few} bytes for 600 steps, {many} for 2400")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
