#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Call streams of a program that has hooks of its own: it runs as it does alone, and what is missing is said.

usage: calls_apart.py --bin FOLDER --launcher MPIRUN PROGRAM

The hooks of instrumented_own_hooks.c stay its own: its streams hold calls of MPI alone.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

NOTICE = "ranks without calls of functions: the program has its own __cyg_profile_func_enter"
WARNING = (
    "reprise: warning: the call streams have MPI calls alone: build the program with -finstrument-functions, and leave the hooks "
    "__cyg_profile_func_enter and _exit to the recorder\n"
)
PRINTED = "entered 4\n"


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return done


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    reprise = options.bin.resolve() / "reprise"
    record = [reprise, "record", "--functions", "trace", "-o"]
    program = ["--", options.launcher, "-n", 2, options.program.resolve()]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        done = run([*record, "own.reprise", *program], folder)
        assert done.stdout == PRINTED, done.stdout
        assert WARNING in done.stderr, done.stderr
        info = json.loads(run([reprise, "trace", "info", "own.reprise", "--format", "json"], folder).stdout)
        assert NOTICE in json.dumps(info["losses"]), info["losses"]
        flat = run([reprise, "trace", "calls", "own.calls", "--flat", "--format", "json"], folder).stdout
        calls = {row["function"]: row["calls"] for row in json.loads(flat)["functions"]}
        assert calls == {"MPI_Barrier": 6, "MPI_Finalize": 2}, calls
    return 0


if __name__ == "__main__":
    sys.exit(main())
