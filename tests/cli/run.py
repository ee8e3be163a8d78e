#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs cases of the reprise command and compares all of stdout, stderr and the exit status.

usage: run.py [--update] --bin FOLDER CASE.case…

A case is a text file. Lines that start with '$ ' are run by bash, in order, in a new empty folder, with FOLDER first in PATH and
$CASES naming the folder of the case files; variables that change what reprise does are unset. What they print and how the last
one exits is expected below, in this order, each part left out where it is empty or 0:
    --- stdout     --- stderr     --- exit N
Places are named FOLDER, CASES, BIN (of the programs) and SOURCE (the top of the sources). Lines above the commands are notes.
In expected lines `*` stands for any text (not for a line break). --update rewrites the expectations; review the difference.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

UNSET = ("REPRISE_", "OMPI_", "PMIX_", "PMI_", "SLURM_", "PBS_", "PARALLEL_SEQ", "LSB_", "JOB_ID", "LD_PRELOAD")
HEADING = re.compile(r"^--- (stdout|stderr|exit)(?: (\d+))?$")


def read_case(path):
    commands, expected, part = [], {"stdout": [], "stderr": [], "exit": 0}, None
    notes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        heading = HEADING.match(line)
        if heading:
            part = heading.group(1)
            if part == "exit":
                expected["exit"] = int(heading.group(2))
        elif part in ("stdout", "stderr"):
            expected[part].append(line)
        elif line.startswith("$ "):
            commands.append(line[2:])
        else:
            notes.append(line)
    return notes, commands, expected


def run_case(path, commands, bin_folder):
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
        environment |= {"PATH": f"{bin_folder}:{os.environ['PATH']}", "CASES": str(path.parent), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["bash", "-c", "\n".join(commands)],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            env=environment,
        )
        places = {folder: "FOLDER", str(path.parent): "CASES", str(bin_folder): "BIN", str(path.parents[3]): "SOURCE"}

        def hide(text):
            for place, name in places.items():
                text = text.replace(place, name)
            return text.splitlines()

        return {"stdout": hide(done.stdout), "stderr": hide(done.stderr), "exit": done.returncode}


def same(expected, got):
    pattern = "\n".join(".*".join(re.escape(piece) for piece in line.split("*")) for line in expected)
    return re.fullmatch(pattern, "\n".join(got)) is not None


def write_case(path, notes, commands, got):
    lines = notes + ["$ " + command for command in commands]
    for part in ("stdout", "stderr"):
        if got[part]:
            lines += [f"--- {part}"] + got[part]
    if got["exit"]:
        lines.append(f"--- exit {got['exit']}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bin", required=True)
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()
    failed = 0
    for name in options.cases:
        path = pathlib.Path(name).resolve()
        notes, commands, expected = read_case(path)
        got = run_case(path, commands, pathlib.Path(options.bin).resolve())
        wrong = [part for part in ("stdout", "stderr") if not same(expected[part], got[part])]
        if expected["exit"] != got["exit"]:
            wrong.append("exit")
        if wrong and options.update:
            write_case(path, notes, commands, got)
            print(f"updated {path.name}")
        elif wrong:
            failed += 1
            for part in wrong:
                print(f"{path.name}: {part} differs\n--- expected\n{expected[part]}\n--- got\n{got[part]}")
            print("\n".join(got["stderr"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
