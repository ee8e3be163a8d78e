#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets one system call or allocation of the reprise command fail, each time another one, and looks at what is left.

usage: command_faults.py --bin FOLDER --faults LIBRARY --cases FOLDER [--most N] [--kinds KIND,…] COMMAND

COMMAND is one of: study, merge, slurm, replay, record, assemble, salvage, export. It is run without a fault, then with one a run
(failing_calls.c), of every kind; with --most N at most N of a kind, at equal distances over all there are. Each time:
  - it ends by itself, with an exit status of its own, and without a signal;
  - where the status is that of success, stdout and files are those of the run without a fault, or a warning says what is left out;
  - where it is not, stderr has an error that names a place, or the study says which simulations crashed;
  - a file that it was to write is not there, or whole;
  - what a study says is done is in its files;
  - the same command without a fault then ends as it did at first, with the same files to the last byte.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ("alloc", "open", "write", "rename", "fsync", "mkdir", "unlink", "fork")
PATIENCE = 60
PREPARE = """set -e
cp {cases}/studies/latency.json .
reprise trace assemble {cases}/traces/pingpong.txt -o pingpong.reprise
cp {cases}/traces/ring.txt ring.txt
reprise trace assemble ring.txt -o ring.reprise
"""
PARTS = """mkdir x.reprise.parts
for rank in 0 1 2; do
  cp {cases}/traces/part$rank.txt part.txt; reprise trace assemble part.txt -o r.reprise
  mv r.reprise x.reprise.parts/rank-$rank.part
done"""
# How each is prepared, what is run, how it is run again, and what it writes.
COMMANDS = {
    "study": ("", "reprise study latency.json -j 2", "reprise study latency.json -j 2 --retry", "latency.results/r*"),
    "merge": (
        "reprise study latency.json --shard 1/2 >/dev/null 2>&1; reprise study latency.json --shard 2/2 >/dev/null 2>&1; "
        "rm -f latency.results/r*",
        "reprise study merge latency.json",
        None,
        "latency.results/r*",
    ),
    "slurm": ("", "reprise study slurm latency.json -o rows --members 2", None, ""),
    "replay": ("", "reprise replay pingpong.reprise -p test-pair --format json -o out.json", None, "out.json"),
    "record": ("", "reprise record -o r.reprise --force -- sh -c 'echo said; exit 3'", None, ""),
    "assemble": ("", "reprise trace assemble ring.txt -o out.reprise --force", None, "out.reprise"),
    "salvage": (PARTS, "reprise trace salvage x.reprise.parts -o out.reprise --force", None, "out.reprise"),
    "export": ("", "reprise export ring.reprise -o ti", "rm -rf ti; reprise export ring.reprise -o ti", "ti/*"),
}


class Place:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.prepare, self.command, self.again, self.products = COMMANDS[options.command]
        self.again = self.again or self.command
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("REPRISE_")}
        self.environment |= {
            "PATH": f"{options.bin}:{os.environ['PATH']}",
            "REPRISE_PLATFORM_PATH": str(options.cases / "platforms"),
            "LC_ALL": "C.UTF-8",
        }

    def shell(self, text, **variables):
        return subprocess.run(
            ["bash", "-c", text],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=self.environment | variables,
        )

    def fresh(self):
        self.shell("chmod -R u+w . ; rm -rf ./* ./.[!.]*")
        text = (PREPARE + self.prepare).format(cases=self.options.cases)
        done = self.shell(text)
        if done.returncode != 0:
            raise RuntimeError(f"cannot be prepared: {done.stderr}")

    def files(self):
        if not self.products:
            return {}
        return {
            str(path.relative_to(self.folder)): hashlib.sha1(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.glob(self.products))
            if path.is_file()
        }

    # The driver alone, without the shell that starts it.
    def with_fault(self, kind, number, **more):
        return self.shell(
            f"LD_PRELOAD={self.options.faults} exec {self.command}",
            FAULT_KIND=kind,
            FAULT_AT=str(number),
            FAULT_PROGRAM="reprise",
            FAULT_FROM="main",
            **({"FAULT_MODULE": "libstdc++"} if kind == "alloc" else {}),
            **more,
        )

    def count(self, kind):
        self.fresh()
        self.with_fault(kind, 0, FAULT_COUNT=str(self.folder / "count"))
        counted = self.folder / "count"
        return max(map(int, counted.read_text(encoding="utf-8").split()), default=0) if counted.exists() else 0


# Of a study whose simulations had not all crashed results may be written that say so.
def is_whole(path):
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".json":
        try:
            return bool(json.loads(text))
        except ValueError:
            return False
    ends = {".csv": "\n", ".html": "</html>\n", ".svg": "</svg>\n"}
    return path.suffix in ends and text.endswith(ends[path.suffix])


# Simulations that were done again have two rows.
def said(done):
    return re.sub(r"; (no|\d+) duplicates?", "", done.stdout)


def said_done(text):
    found = re.search(r"^\d+ of \d+ simulations: (\d+) done", text, re.MULTILINE)
    return int(found.group(1)) if found else 0


def rows_done(folder):
    return sum(
        line.endswith("\n") and '"status":"done"' in line
        for path in folder.glob("latency.results/shard-*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True)
    )


def problem(place, first, files, kind, number):
    place.fresh()
    try:
        done = place.with_fault(kind, number)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode < 0 or done.returncode >= 126:
        return f"ends by a signal: {done.returncode} {done.stderr[-300:]}"
    left = place.files()
    if done.returncode == first.returncode:
        if done.stdout != first.stdout:
            return f"says nothing of it and prints {done.stdout!r}, not {first.stdout!r}; {done.stderr}"
        if left != files and "reprise: warning: " not in done.stderr:
            return f"says nothing of it and left {left}, not {files}"
    else:
        errors = re.findall(r"^reprise: error: (.+)", done.stderr, re.MULTILINE)
        if not errors and " crashed" not in done.stdout:
            return f"exit {done.returncode} without an error: {done.stdout!r} {done.stderr!r}"
        if any(": " not in error and error != "out of memory" for error in errors):
            return f"an error without a place: {errors}"
        torn = {name for name, hash in left.items() if files.get(name) != hash and not is_whole(place.folder / name)}
        if torn:
            return f"failed, but left {torn}, which are not whole; {done.stderr}"
    if said_done(done.stdout) > rows_done(place.folder) and "study" in place.command:
        return f"says {said_done(done.stdout)} are done, {rows_done(place.folder)} are in the files"
    again = place.shell(place.again)
    if (again.returncode, said(again), place.files()) != (first.returncode, said(first), files):
        return (
            f"after exit {done.returncode} ({done.stderr[-200:]!r}), again: exit {again.returncode} "
            f"{again.stdout[-300:]!r} {again.stderr[-300:]!r} {place.files()} {files}"
        )
    return ""


def numbers(count, most):
    if not most or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--bin", "--faults", "--cases"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("command", choices=COMMANDS)
    options = parser.parse_args()
    tried, failures = {}, []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(options, folder)
        place.fresh()
        first = place.shell("exec " + place.command)
        files = place.files()
        if first.returncode not in (0, 3) or (place.products and not files):
            failures.append(f"without a fault: exit {first.returncode}: {first.stderr}")
        for kind in options.kinds.split(","):
            count = place.count(kind)
            for number in numbers(count, options.most):
                found = problem(place, first, files, kind, number)
                tried[kind] = tried.get(kind, 0) + 1
                if found:
                    failures.append(f"{kind} {number} of {count}: {found}")
                    print(failures[-1], flush=True)
    print("faults:", ", ".join(f"{kind} {count}" for kind, count in tried.items()) or "none")
    print(f"{options.command}: {sum(tried.values())} faults tried, {len(failures)} not survived")
    return 1 if failures or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
