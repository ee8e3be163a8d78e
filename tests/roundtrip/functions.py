#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions by sampling: a program of two kernels between the same two MPI calls tells their CPU times, and the samples of its trace say the same.

usage: functions.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM

The shares of the two kernels are those that the program measured, to 8 percentage points (five standard errors of the samples that it gets); nearly all samples are on call paths
from main. A replay in which one kernel takes twice as long computes longer by that kernel's share of the samples, to 1e-3: the rule for call
paths cannot say such a thing. A stripped copy is sampled, too, and it is said that it has no names. A program that has the signal is
recorded without samples, and its trace says so.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STEPS = 1500


def run(command, folder, fails=False):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    if (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done


def record(options, folder, program, trace, *arguments):
    words = [options.bin.resolve() / "reprise", "record", "--functions", "sample", "--clock", "cpu", "-o", trace, "--"]
    return run(words + [options.launcher, "-n", options.ranks, program, *arguments], folder)


def functions(options, folder, trace):
    """Samples between calls and each function's inclusive share of them, over all ranks; the answer's text."""
    reprise = options.bin.resolve() / "reprise"
    told = json.loads(run([reprise, "trace", "functions", trace, "--format", "json"], folder).stdout)
    samples = sum(ranks["samples"] for ranks in told["rank_classes"])
    shares = {}
    for ranks in told["rank_classes"]:
        for row in ranks["functions"]:
            shares[row["function"]] = shares.get(row["function"], 0) + row["inclusive_samples"] / samples
    return samples, shares, run([reprise, "trace", "functions", trace], folder).stdout


def computed(options, folder, *rules):
    """Compute time of all ranks, and the answer's remarks."""
    words = [options.bin.resolve() / "reprise", "replay", "kernels.reprise", "--format", "json"]
    outcome = json.loads(run(words + [word for rule in rules for word in ("--compute", rule)], folder).stdout)
    return sum(rank["compute_s"] for rank in outcome["ranks"]), outcome["remarks"]


def compare(options, folder):
    """What is wrong, as sentences."""
    program = options.program.resolve()
    told = record(options, folder, program, "kernels.reprise", STEPS).stdout
    moved, evaluated = map(float, re.search(r"kernels ([\d.]+) ([\d.]+)", told).groups())
    samples, shares, _ = functions(options, folder, "kernels.reprise")
    wrong = []
    if samples < 100 * (moved + evaluated):
        wrong.append(f"{samples} samples of {moved + evaluated:.2f} s")
    for name, time in (("move_cells", moved), ("evaluate_terms", evaluated)):
        true, share = time / (moved + evaluated), shares.get(name, 0)
        both = shares.get("move_cells", 0) + shares.get("evaluate_terms", 0)
        print(f"{name}: measured {true:.2%}, sampled {share / both:.2%} of {samples} samples")
        if abs(true - share / both) > 0.08:
            wrong.append(f"{name} has {share / both:.1%} of the samples and {true:.1%} of the time")
    if shares.get("main", 0) < 0.95:
        wrong.append(f"main is on the call paths of {shares.get('main', 0):.1%} of the samples")

    before, _ = computed(options, folder)
    after, remarks = computed(options, folder, "function:evaluate_terms=2x")
    if abs(after / before - 1 - shares["evaluate_terms"]) > 1e-2:
        wrong.append(f"{after / before:.4f} times the computing, where {shares['evaluate_terms']:.4f} of it doubled")
    if not any(remark.startswith("function:evaluate_terms: evaluate_terms with") for remark in remarks):
        wrong.append(f"the answer does not say what matched: {remarks}")
    both, _ = computed(options, folder, "function:evaluate_terms=2x", "function-exclusive:move_cells=2x")
    if not after < both <= 2 * before:
        wrong.append(f"{before:.3f} s, one kernel doubled {after:.3f} s, both {both:.3f} s")
    refused = run(
        [options.bin.resolve() / "reprise", "replay", "kernels.reprise", "--compute", "evaluate_terms=2x"], folder, True
    ).stderr
    if 'no call of the trace matches "evaluate_terms"' not in refused:
        wrong.append(f"the rule for call paths: {refused}")

    stripped = folder / "stripped"
    shutil.copy(program, stripped)
    run(["strip", stripped], folder)
    record(options, folder, stripped, "stripped.reprise", STEPS // 5)
    samples, shares, text = functions(options, folder, "stripped.reprise")
    if samples == 0 or "in functions without a name" not in text:
        wrong.append(f"a stripped program: {text}")
    if sum(share > 0.2 for name, share in shares.items() if name.startswith("stripped+0x")) < 2:
        wrong.append(f"a stripped program's functions: {shares}")

    record(options, folder, program, "owner.reprise", STEPS // 10, 80, 2, "own")
    text = run([options.bin.resolve() / "reprise", "trace", "info", "owner.reprise"], folder).stdout
    if "the program uses SIGURG" not in text or "\nfunctions" in text:
        wrong.append(f"a program that has the signal: {text}")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        wrong = compare(options, pathlib.Path(folder))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
