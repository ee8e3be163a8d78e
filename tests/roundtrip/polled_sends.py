#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A pool of send buffers whose sends are found complete by chance: polls are counted, and the trace has the structure of the program.

usage: polled_sends.py --bin FOLDER --launcher MPIRUN PROGRAM        PROGRAM: send_buffers

On 4 ranks MPI_Testall completed something as often as the program counts itself, with --completions exact and without; `trace check` finds no error; a
strict replay plays all operations on two machines and three networks. However many steps there are, the program is
stored as about a dozen calls: its loop folds and its ranks are one.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RANKS = 4
PLATFORMS = ("ethernet-10g", "infiniband-edr")
NETWORKS = ("flow", "queue", "uncontended")
failures = []


def expect(fact, what):
    if not fact:
        failures.append(what)


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    expect(done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def recorded(options, folder, steps, completions):
    trace = f"{completions}-{steps}.reprise"
    command = [options.reprise, "record", "--completions", completions, "--order", "none", "-o", trace, "--"]
    lines = run([*command, options.launcher, "-n", RANKS, options.program, steps], folder).splitlines()
    expect(lines[1:] == ["send_buffers: ok"], f"{trace}: printed {lines}")
    info = json.loads(run([options.reprise, "trace", "info", trace, "--format", "json"], folder))
    made = info["procedures"]["MPI_Testall"]
    expect(made == int(lines[0]), f"{trace}: {made} calls of MPI_Testall, the program made {lines[0]}")
    expect(info["losses"] == [], f"{trace}: losses {info['losses']}")
    for finding in json.loads(run([options.reprise, "trace", "check", trace, "--format", "json"], folder))["findings"]:
        expect(finding["severity"] == "notice", f"{trace}: {finding}")
    for platform in PLATFORMS:
        for network in NETWORKS:
            replay = [options.reprise, "replay", trace, "--strict", "--platform", platform, "--network", network]
            outcome = json.loads(run([*replay, "--format", "json"], folder) or "{}")
            expect(outcome.get("operations") == info["operations"], f"{trace}, {platform}, {network}: {outcome}")
    return info["compressed_operations"]


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
        exact = recorded(options, folder, 100, "exact")
        few, many = (recorded(options, folder, steps, "represented") for steps in (100, 400))
        expect(max(few, many) <= 16, f"{few} calls are stored for 100 steps and {many} for 400")
        print(f"{few} stored calls for 100 steps, {many} for 400; with every call of 100: {exact}")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
