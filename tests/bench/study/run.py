#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a study costs beside its simulations: a study of many small ones, each a process, and how long they take.

usage: run.py BUILD_FOLDER [--simulations 10000] [--ranks 16] [--steps 50] [--jobs 2]

The program is the halo exchange of the replay's benchmarks (patterns.py), with compute times that are drawn, so that nothing is left
out. Printed is what `reprise study` says itself: simulations a second, and the share of the CPU time of all its processes that was
spent outside the replays (forking, the platform's document, rows, waiting for the disk is no CPU time).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

PATTERNS = pathlib.Path(__file__).resolve().parents[1] / "replay" / "patterns.py"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--simulations", type=int, default=10000)
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    reprise = pathlib.Path(options.build).resolve() / "bin" / "reprise"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(folder / "halo.txt", "w") as out:
            subprocess.run(
                [sys.executable, PATTERNS, "halo", str(options.ranks), str(options.steps), "--deltas", "jitter"],
                stdout=out,
                check=True,
            )
        subprocess.run([reprise, "trace", "assemble", "halo.txt", "-o", "halo.reprise"], cwd=folder, check=True)
        study = {
            "format": 1,
            "name": "halo",
            "question": "What does a simulation cost?",
            "trace": "halo.reprise",
            "platform": "ethernet-10g",
            "placement": "cyclic",
            "efficiencies": False,
            "seeds": max(1, options.simulations // 100),
            "axes": [
                {"name": "latency", "path": "/network/link/latency", "multiply_by": [2 ** (i / 4) for i in range(10)]},
                {
                    "name": "bandwidth",
                    "path": "/network/link/bandwidth",
                    "multiply_by": [2 ** (i / 4) for i in range(10)],
                },
            ],
        }
        (folder / "halo.json").write_text(json.dumps(study))
        done = subprocess.run(
            [reprise, "study", "halo.json", "-j", str(options.jobs)],
            cwd=folder,
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        print(done.stderr.strip().splitlines()[-1])
        print(next(line for line in done.stdout.splitlines() if "simulations:" in line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
