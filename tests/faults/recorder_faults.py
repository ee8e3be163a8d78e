#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets one system call or allocation of the recorder fail, each time another one, and looks whether the program notices.

usage: recorder_faults.py --bin FOLDER --launcher MPIEXEC --recorder LIBRARY --faults LIBRARY [--ranks N] [--most N] PROGRAM [END]

PROGRAM is run bare, then with the recorder and one fault a run (failing_calls.c), of every kind, on the first and on the last rank in turn. With
--most N at most N of a kind: the first half of them from the first call on, the others at equal distances over all there are; 0: all.
Each time: exit status and stdout are those of the bare run, nothing hangs, and where the recorder says that there is a trace, or says nothing,
there is one; it holds every call of the program, or is marked incomplete, or names what is lost. Where it speaks of parts, they can be salvaged.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

KINDS = ("alloc", "open", "write", "rename", "fsync", "mkdir", "unlink", "fork")
PATIENCE = 60


class Attempt:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.bare = self.run({})
        self.calls = None

    def run(self, variables, preload=()):
        words = ["env", *(f"{name}={value}" for name, value in variables.items())]
        if preload:
            words.append("LD_PRELOAD=" + " ".join(str(library) for library in preload))
        launch = [self.options.launcher, "-n", str(self.options.ranks)]
        return subprocess.run(
            [*launch, *words, str(self.options.program), *([self.options.end] if self.options.end else [])],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def clear(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()

    def with_fault(self, kind, number, rank, count=False):
        self.clear()
        variables = {"REPRISE_OUTPUT": "run.reprise", "REPRISE_SNAPSHOT": "0.002", "FAULT_KIND": kind}
        variables |= {"FAULT_AT": number, "FAULT_RANK": rank, "FAULT_MODULE": self.options.recorder.name}
        if count:
            variables["FAULT_COUNT"] = str(self.folder / "count")
        return self.run(variables, (self.options.faults, self.options.recorder))

    def count(self, kind, rank):
        if self.options.end:  # such a process ends without telling how many there were
            return 1
        self.with_fault(kind, 0, rank, count=True)
        counted = self.folder / "count"
        return max(map(int, counted.read_text(encoding="utf-8").split()), default=0) if counted.exists() else 0

    def reprise(self, *words):
        command = [self.options.bin / "reprise", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)

    def problem(self, kind, number, rank):
        try:
            done = self.with_fault(kind, number, rank)
        except subprocess.TimeoutExpired:
            return "hangs"
        if done.returncode != self.bare.returncode:
            return f"exit {done.returncode}, not {self.bare.returncode}: {done.stderr[-300:]}"
        if sorted(done.stdout.split("\n")) != sorted(self.bare.stdout.split("\n")):
            return f"prints {done.stdout!r}, not {self.bare.stdout!r}"
        if self.options.end or ".parts" in done.stderr:
            return self.problem_of_parts(done)
        if "reprise: error: " in done.stderr:
            return ""
        return self.problem_of_trace("run.reprise")

    # What was saved can be salvaged, or nothing was and that was said.
    def problem_of_parts(self, done):
        if not any(self.folder.glob("run.reprise.parts/*.part")):
            said = "reprise: error: " in done.stderr
            return "" if said or self.options.end else "speaks of parts that are not there"
        salvage = self.reprise("trace", "salvage", "run.reprise.parts", "-o", "salvaged.reprise")
        if salvage.returncode != 0:
            return f"salvage: {salvage.stderr}"
        check = self.reprise("trace", "info", "salvaged.reprise")
        return "" if check.returncode == 0 else f"salvaged: {check.stderr}"

    def problem_of_trace(self, name):
        info = self.reprise("trace", "info", name, "--format", "json")
        if info.returncode != 0:
            return f"no word of an error, and {info.stderr.strip()}"
        told = json.loads(info.stdout)
        calls = told["operations"]
        if self.calls is None:
            self.calls = calls
        if told["complete"] and not told["losses"] and calls != self.calls:
            return f"{calls} calls of {self.calls}, and nothing says so"
        check = self.reprise("trace", "check", name, "--format", "json")
        errors = [one for one in json.loads(check.stdout)["findings"] if one["severity"] == "error"]
        return f"check: {errors[:2]}" if errors and told["complete"] else ""


def numbers(count, most):
    if not most or count <= most:
        return list(range(1, count + 1))
    first = most // 2
    rest = most - first
    return sorted({*range(1, first + 1), *(first + 1 + i * (count - first - 1) // (rest - 1) for i in range(rest))})


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--bin", "--recorder", "--faults"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("program", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("end", nargs="?")
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    os.environ.update(UCX_LOG_LEVEL="fatal")
    tried, failures = {}, []
    with tempfile.TemporaryDirectory() as folder:
        attempt = Attempt(options, folder)
        first = attempt.problem("none", 0, 0)  # also counts the program's calls
        if first:
            failures.append(f"without a fault: {first}")
        for kind in options.kinds.split(","):
            counts = {rank: attempt.count(kind, rank) for rank in {0, options.ranks - 1}}
            for rank, count in counts.items():
                for number in numbers(count, options.most):
                    problem = attempt.problem(kind, number, rank)
                    tried[kind] = tried.get(kind, 0) + 1
                    if problem:
                        failures.append(f"{kind} {number} of {count} on rank {rank}: {problem}")
                        print(failures[-1], flush=True)
    print("faults:", ", ".join(f"{kind} {count}" for kind, count in tried.items()) or "none")
    print(f"{sum(tried.values())} faults tried, {sum(tried.values()) - len(failures)} survived")
    return 1 if failures or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
