#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sampled functions beside those of perf, and what sampling costs.

usage: run.py --bin FOLDER shares [--ranks N] -- PROGRAM [ARGUMENTS]   exclusive shares of functions, by both in the same run
       run.py --bin FOLDER cost [--ranks N] [--pairs N] -- PROGRAM …   instructions and CPU time with sampling, in relation to those without

shares: rank 0 to N-1 run under perf record (cpu-clock, 199 a second) and under the recorder at once. Functions are compared that are the program's own
(perf's symbols in its file), as shares of all of these; perf's samples in the kernel count for the function that the kernel works for, those in libraries
are left out, and so are our samples inside calls.
cost: pairs of runs in turn, recorded without and with --functions sample:RATE; task-clock by perf stat, and user instructions where the machine counts
them: the median of the pairs' ratios, the smallest and the largest. Runs differ by more than 200 samples a second cost: take a RATE of 10000, and a
fiftieth of the result, which is printed as well.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile


def run(command, folder, **more):
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False, **more
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done


def variables(options, folder, functions):
    recorder = options.bin.resolve().parent / "lib" / "libreprise-recorder.so"
    words = ["env", f"LD_PRELOAD={recorder}", f"REPRISE_OUTPUT={folder}/run.reprise", "REPRISE_CLOCK=cpu"]
    return words + ([f"REPRISE_FUNCTIONS={functions}"] if functions else [])


def plain(name):
    """Without parameters, template arguments, and what compilers append."""
    name = re.sub(r"\.(cold|part\.\d+|isra\.\d+|constprop\.\d+)", "", name)
    name = re.sub(r" \[clone .*", "", name)
    return re.sub(r"\(.*", "", name)


def sampled_shares(options, folder):
    reprise = options.bin.resolve() / "reprise"
    run([reprise, "trace", "salvage", "run.reprise.parts", "-o", "named.reprise"], folder)
    told = json.loads(run([reprise, "trace", "functions", "named.reprise", "--format", "json"], folder).stdout)
    counts = {}
    for ranks in told["rank_classes"]:
        for row in ranks["functions"]:
            counts[plain(row["function"])] = counts.get(plain(row["function"]), 0) + row["exclusive_samples"]
    return counts


def perf_counts(folder, program):
    """Samples by function of the program's file, over all ranks; the kernel's own are those of the function that it works for."""
    text = run(["perf", "script", "-i", "perf.data", "-F", "ip,sym,dso", "--demangle"], folder).stdout
    counts = {}
    for sample in text.split("\n\n"):
        for line in sample.splitlines():
            found = re.match(r"\s*[0-9a-f]+ (.*) \(([^()]*)\)$", line)
            if not found or found[2].startswith("["):
                continue  # the kernel's
            if pathlib.Path(found[2]).name == program.name:
                counts[plain(found[1])] = counts.get(plain(found[1]), 0) + 1
            break
    return counts


def shares(options, folder):
    program = pathlib.Path(options.program[0])
    words = [
        "perf",
        "record",
        "-q",
        "-g",
        "-o",
        "perf.data",
        "-e",
        "cpu-clock",
        "-F",
        199,
        options.launcher,
        "-n",
        options.ranks,
    ]
    environment = variables(options, folder, "sample") + ["REPRISE_PARTS=keep"]
    run(words + environment + options.program, folder)
    ours, theirs = sampled_shares(options, folder), perf_counts(folder, program)
    ours = {name: count for name, count in ours.items() if name in theirs}
    all_ours, all_theirs = sum(ours.values()), sum(theirs.values())
    rows = sorted(theirs, key=theirs.get, reverse=True)
    print(f"{'perf':>8} {'sampled':>8} {'apart':>8}  function ({all_theirs} and {all_ours} samples)")
    worst = 0
    for name in rows:
        perf, mine = 100 * theirs[name] / all_theirs, 100 * ours.get(name, 0) / all_ours
        worst = max(worst, abs(perf - mine))
        if perf >= 1:
            print(f"{perf:7.2f}% {mine:7.2f}% {mine - perf:+7.2f}   {name}")
    print(f"largest difference of any function: {worst:.2f} percentage points")


def counted(options, folder, functions):
    """User instructions, or CPU milliseconds where the machine does not count them; and which."""
    words = [
        "perf",
        "stat",
        "-x",
        ",",
        "-o",
        "stat.txt",
        "-e",
        "instructions:u,task-clock",
        options.launcher,
        "-n",
        options.ranks,
    ]
    run(words + variables(options, folder, functions) + options.program, folder)
    (folder / "run.reprise").unlink(missing_ok=True)
    rows = {}
    for line in (folder / "stat.txt").read_text(encoding="utf-8").splitlines():
        cells = line.split(",")
        if len(cells) > 2 and re.fullmatch(r"[\d.]+", cells[0]):
            rows[cells[2]] = float(cells[0])
    return rows


def cost(options, folder):
    ratios, sampled = {}, f"sample:{options.rate}"
    for pair in range(options.pairs):
        order = ["", sampled] if pair % 2 == 0 else [sampled, ""]
        rows = {functions: counted(options, folder, functions) for functions in order}
        for what in rows[""]:
            ratios.setdefault(what, []).append(rows[sampled][what] / rows[""][what])
    for what, all_of in ratios.items():
        low, middle, high = min(all_of), statistics.median(all_of), max(all_of)
        print(f"{what}: {sampled} {middle - 1:+.2%} ({low - 1:+.2%} … {high - 1:+.2%}, {len(all_of)} pairs)")
        print(f"  in proportion, 200 a second: {(middle - 1) * 200 / options.rate:+.3%}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("what", choices=["shares", "cost"])
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        {"shares": shares, "cost": cost}[options.what](options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
