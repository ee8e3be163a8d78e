#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording replayed with nothing left out is the same answer, to the last byte, whichever way that is asked for.

usage: forward.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM

The program (scenarios/heat2d/heat2d.c) is recorded and replayed on each network: --forward-within 0, 0% and --no-fast-forward give equal bytes, with
accounts of every call site. By default calls and messages are the same as well, however many iterations were left out.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

NETWORKS = ("flow", "fluid", "queue", "uncontended")
NOTHING = (("--no-fast-forward",), ("--forward-within", "0"), ("--forward-within", "0%"))


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    reprise = options.bin.resolve() / "reprise"
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = [options.launcher, "-n", options.ranks, options.program.resolve(), 300, 64]
        run([reprise, "record", "--clock", "cpu", "-o", "run.reprise", "--", *program], folder)
        for network in NETWORKS:
            command = [reprise, "replay", "run.reprise", "-p", "infiniband-edr", "--network", network]
            command += ["--format", "json", "--details", "call-sites"]
            whole, *others = (run([*command, *nothing], folder) for nothing in NOTHING)
            if any(other != whole for other in others):
                sys.exit(f"{network}: {NOTHING} are not the same answer")
            full, usual = json.loads(whole), json.loads(run(command, folder))
            if full["fast_forward"]["skipped_iterations"] != 0:
                sys.exit(f"{network}: iterations were left out although that was forbidden")
            for what in ("operations", "messages"):
                if usual[what] != full[what]:
                    sys.exit(f"{network}: {usual[what]} {what} by default, {full[what]} in full")
            print(f"{network}: {usual['fast_forward']['skipped_iterations']} iterations left out by default")
    return 0


if __name__ == "__main__":
    sys.exit(main())
