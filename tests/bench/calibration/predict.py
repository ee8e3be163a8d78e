#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far predictions from a calibrated platform are from benchmarks that it was not fitted to.

usage: predict.py --bin FOLDER --launcher MPIRUN --platform FILE --times FILE --program patterns [--ranks N] [--quantile low|median]

FILE of times: what `mpirun -n N patterns measure SECONDS` printed. Each row's pattern and size is recorded with our recorder, replayed with
mean deltas on the platform with its compute time scaled away (the benchmark times operations back to back), and compared with the
measured time. Prints a table as Markdown.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

REPETITIONS = 100


def predict(options, pattern, size, folder):
    trace = pathlib.Path(options.traces or folder) / f"{pattern}-{size}-{options.ranks}.reprise"
    reprise = options.bin / "reprise"
    if not trace.exists():
        subprocess.run(
            [
                reprise,
                "record",
                "-o",
                trace,
                "--",
                options.launcher,
                "-n",
                str(options.ranks),
                options.program,
                pattern,
                str(size),
                str(REPETITIONS),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
    answer = subprocess.run(
        [
            reprise,
            "replay",
            trace,
            "-p",
            options.platform,
            "--deltas",
            "mean",
            "--compute",
            "1e-9x",
            "--format",
            "json",
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return json.loads(answer.stdout)["predicted_time_s"] * 1e6 / REPETITIONS


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--platform", required=True)
    parser.add_argument("--times", type=pathlib.Path, required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--quantile", choices=("low", "median"), default="median")
    parser.add_argument("--traces", help="a folder in which traces are kept and found again")
    options = parser.parse_args()
    errors, all_errors = {}, []
    with tempfile.TemporaryDirectory() as folder:
        print("| pattern | bytes | measured µs | predicted µs | error |\n|---|---|---|---|---|")
        for line in options.times.read_text().splitlines():
            pattern, size, low, median = line.split()
            measured = float(low if options.quantile == "low" else median)
            predicted = predict(options, pattern, int(size), folder)
            error = predicted / measured - 1
            errors.setdefault(pattern, []).append(error)
            all_errors.append(error)
            print(f"| {pattern} | {size} | {measured:.2f} | {predicted:.2f} | {100 * error:+.1f} % |")
    print("\n| pattern | median of the errors' sizes | largest |\n|---|---|---|")
    for name, values in [*errors.items(), ("all", all_errors)]:
        sizes = [abs(value) for value in values]
        print(f"| {name} | {100 * statistics.median(sizes):.1f} % | {100 * max(sizes):.1f} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
