#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Iterations as clusters: how far from each iteration is the mean of its cluster, and what does clustering cost?

usage: clusters.py --bin FOLDER -o FOLDER [--programs LIST] [--only NAMES] [--ranks N] [--steps N] [--clusters N] [--clock cpu|wall]

drift.c (compiled with mpicc, --ranks, --steps) and the programs of LIST, a list as in ../README.md. Each runs twice (Open MPI):

Recorded with `--iterations 1024` every iteration is a cluster of its own (so it must have at most 1024), and cluster_errors.cpp clusters that
series again with the recorder's code: one run is the truth of all numbers of clusters. Its head says what each column is.

Recorded with `--iterations N` (--clusters, default 64) the run's own clusters are compared with duration_log.c in front of the recorder, which knows
nothing of clusters. That needs marks, MPI_Pcontrol(1) and (-1) around an iteration. The same is done with the first run: so exact is a comparison with
the log. The log's readings of the clock are computing to the recorder, and the recorder's work is inside the call to the log: what they add to a time, the
same for all calls of a rank, is allowed for.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "order")]
from programs import Program, read_programs  # noqa: E402
from true_order import compile_log  # noqa: E402

MOST = 1024  # iterations, which all have a cluster
TIMES = ("compute", "communicate")


def record(options, program, trace, clusters, library):
    log = trace.with_suffix(".log")
    environment = dict(
        os.environ,
        DURATION_LOG=str(log),
        DURATION_LOG_CLOCK=options.clock,
        DURATION_LOG_INSIDE="1",
        REPRISE_PARTS="keep",
        OMPI_MCA_mpi_yield_when_idle="1",
    )
    shutil.rmtree(f"{trace}.parts", ignore_errors=True)
    command = [options.bin / "reprise", "record", "--force", "--clock", options.clock, "--iterations", str(clusters)]
    command += ["-o", trace, "--", "mpirun", "--oversubscribe", "-n", str(program.ranks)]
    # In front of the recorder: the first of the preloaded libraries.
    command += ["env", "sh", "-c", f'LD_PRELOAD="{library}:$LD_PRELOAD" exec "$0" "$@"', *program.command]
    subprocess.run(command, env=environment, cwd=program.folder, capture_output=True, check=True)
    return log


def shown(options, trace, metric):
    """By rank and iteration, as a user sees it."""
    command = [options.bin / "reprise", "trace", "iterations", trace, "--metric", metric, "--format", "json"]
    table = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return table["map"]


def logged(path):
    """Of each marked iteration the seconds computed in front of its calls and spent in them, and their number. Computing belongs to the call behind it,
    as in a recording, also over a mark."""
    iterations, computed, is_open = [], 0, False
    with open(path) as file:
        for name, before, inside in (line.split() for line in file):
            computed += int(before)
            if name == "Pcontrol":
                is_open = not is_open
                if is_open:
                    iterations.append([0, 0, 0])
                continue
            if is_open:
                for m, more in enumerate((computed, int(inside), 1)):
                    iterations[-1][m] += more
            computed = 0
    return [(c * 1e-9, i * 1e-9, calls) for c, i, calls in iterations]


def as_recorded(truth, seen, m):
    """The times of one rank, with what log and recorder add to each of them."""
    added = (sum(seen) - sum(one[m] for one in truth)) / sum(one[2] for one in truth)
    return [one[m] + added * one[2] for one in truth]


def error(seen, truth):
    """In % of the truth's average."""
    return 100 * sum(abs(a - b) for a, b in zip(seen, truth)) / sum(truth)


def off_log(options, program, trace, log):
    """{metric: (error of the mean over the ranks, of the largest)}; none where nothing is marked."""
    truth = [logged(f"{log}.{rank}") for rank in range(program.ranks)]
    if not truth[0]:
        return None
    errors = {}
    for m, metric in enumerate((*TIMES, "calls")):
        seen = shown(options, trace, metric)
        its = [[one[m] for one in rank] for rank in truth]
        if [len(one) for one in seen] != [len(one) for one in its]:
            sys.exit(
                f"{trace}: {[len(one) for one in seen]} iterations by rank, the log has {[len(one) for one in its]}"
            )
        if metric in TIMES:
            its = [as_recorded(one, other, m) for one, other in zip(truth, seen)]
        means = [[sum(values) / len(values) for values in zip(*table)] for table in (seen, its)]
        largest = [[max(values) for values in zip(*table)] for table in (seen, its)]
        errors[metric] = (error(*means), error(*largest))
    return errors


def print_errors(what, errors):
    cells = ", ".join(f"{metric} {mean:.3f} and {most:.3f} %" for metric, (mean, most) in errors.items())
    print(f"{what}, off the log (mean and largest of the ranks): {cells}", flush=True)


def measure(options, program, library):
    print(f"\n{program.name}, {program.ranks} ranks", flush=True)
    for clusters in (MOST, options.clusters):
        trace = options.output / f"{program.name}.{clusters}.reprise"
        log = record(options, program, trace, clusters, library)
        if clusters == MOST:
            parts = sorted(pathlib.Path(f"{trace}.parts").glob("rank-*.part"))
            print(
                subprocess.run(
                    [options.bin / "cluster_errors", *parts], capture_output=True, text=True, check=True
                ).stdout
            )
        errors = off_log(options, program, trace, log)
        if errors is None:
            print("no marks: not compared with a log")
            return
        print_errors("each iteration alone" if clusters == MOST else f"recorded with --iterations {clusters}", errors)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--programs")
    parser.add_argument("--only", default="")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--clusters", type=int, default=64)
    parser.add_argument("--clock", default="cpu")
    parser.add_argument("--mpicc", default="mpicc")
    options = parser.parse_args()
    options.bin, options.output = options.bin.resolve(), options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    library = compile_log(options.output)
    drift = options.output / "drift"
    subprocess.run([options.mpicc, "-O2", HERE / "drift.c", "-o", drift], check=True)
    programs = [Program(f"drift {options.ranks} {drift} {options.steps}")]
    if options.programs:
        programs += read_programs(options.programs, None)
    for program in programs:
        if options.only and program.name not in options.only.split(","):
            continue
        try:
            measure(options, program, library)
        except subprocess.CalledProcessError as error:
            said = (error.stderr or b"").strip().splitlines() or ["no message"]
            print(f"exit {error.returncode} of {error.cmd[0]}: {said[-1]}")


if __name__ == "__main__":
    main()
