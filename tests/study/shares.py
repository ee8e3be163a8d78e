#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A study of 200 simulations shared out in earnest, compared with the same study done by one process: complete, without duplicates, and
with the same results to the last byte.

usage: shares.py --bin FOLDER mpirun|parallel|slurm|signal

    mpirun    ranks of Open MPI
    parallel  jobs of GNU parallel
    slurm     an array of eight on a Slurm of the test's own; one member is killed half-way and submitted again
    signal    SIGTERM half-way: exit status 75, and the same command goes on
Exit status 77, with a sentence: the program that starts the shares is not there.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import slurm_here

# A tag of its own in each step: no iteration repeats, so that each is simulated.
TRACE = """reprise-text 1
ranks 4
program "/usr/bin/ring"
timing histogram
bins 3
thread 0 {
  MPI_Init
  loop STEPS {
    MPI_Isend peer=+1 tag=0..LAST bytes=8KiB request=0 | compute 20us
    MPI_Recv peer=-1 tag=0..LAST bytes=8KiB
    MPI_Waitall requests=[0]
    MPI_Allreduce send_bytes=8 element_bytes=8 commutes=1
  }
  MPI_Finalize
}
"""
SIMULATIONS = 200
UNSET = ("SLURM_", "OMPI_COMM", "PMIX_", "PMI_", "PBS_", "PARALLEL_SEQ")


def write_study(folder, reprise, steps):
    (folder / "ring.txt").write_text(TRACE.replace("STEPS", str(steps)).replace("LAST", str(steps - 1)))
    subprocess.run([reprise, "trace", "assemble", "ring.txt", "-o", "ring.reprise"], cwd=folder, check=True)
    study = {
        "format": 1,
        "name": "ring",
        "question": "Does it matter who does which?",
        "trace": "ring.reprise",
        "platform": "ethernet-10g",
        "placement": "cyclic",
        "seeds": 5,
        "axes": [
            {"name": "latency", "path": "/network/link/latency", "multiply_by": [0.25, 0.5, 1, 2, 4]},
            {"name": "bandwidth", "path": "/network/link/bandwidth", "multiply_by": [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]},
        ],
    }
    (folder / "ring.json").write_text(json.dumps(study))


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def rows_in(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(holds, what, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(0.005)


def share_with_mpirun(folder, reprise, environment):
    run(
        "mpirun",
        "-n",
        "4",
        "--oversubscribe",
        reprise,
        "study",
        "ring.json",
        "-o",
        "shared",
        cwd=folder,
        env=environment | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
    )
    assert sorted(path.name for path in (folder / "shared").glob("shard-*")) == [
        f"shard-{i}-of-4.jsonl" for i in (1, 2, 3, 4)
    ]


def share_with_parallel(folder, reprise, environment):
    run(
        "parallel",
        "-j2",
        "-N0",
        reprise,
        "study",
        "ring.json",
        "-o",
        "shared",
        "--shards",
        "8",
        ":::",
        *range(8),
        cwd=folder,
        env=environment,
    )
    assert len(list((folder / "shared").glob("shard-*-of-8.jsonl"))) == 8


def share_with_signal(folder, reprise, environment):
    worker = subprocess.Popen(
        [reprise, "study", "ring.json", "-o", "shared", "-j", "2"], cwd=folder, env=environment, stderr=subprocess.PIPE
    )
    rows = folder / "shared" / "shard-1-of-1.jsonl"
    wait_for(lambda: rows_in(rows) >= SIMULATIONS // 4 or worker.poll() is not None, "a quarter of the simulations")
    worker.send_signal(signal.SIGTERM)
    said = worker.communicate(timeout=60)[1].decode()
    assert worker.returncode == 75, f"exit status {worker.returncode}: {said}"
    assert 0 < rows_in(rows) < SIMULATIONS, f"{rows_in(rows)} rows after SIGTERM"
    assert f"interrupted; {SIMULATIONS - rows_in(rows)} simulations left, the same command continues" in said, said
    with open(rows, "ab") as torn:
        torn.write(b'{"key":"0123')  # as a process leaves it that is killed while it writes
    run(reprise, "study", "ring.json", "-o", "shared", cwd=folder, env=environment, stdout=subprocess.DEVNULL)


def share_with_slurm(folder, reprise, _):
    with slurm_here.SlurmHere(folder / "slurm") as environment:
        script = folder / "ring.sbatch"
        with open(script, "wb") as out:
            run(
                reprise,
                "study",
                "slurm",
                "ring.json",
                "-o",
                "shared",
                "--members",
                "8",
                "--memory",
                "50M",
                cwd=folder,
                env=environment,
                stdout=out,
            )

        def submit(*options):
            return (
                run("sbatch", "--parsable", *options, script, cwd=folder, env=environment, capture_output=True)
                .stdout.decode()
                .strip()
            )

        def queue_is_empty():
            return not run("squeue", "-h", env=environment, capture_output=True).stdout.strip()

        job, rows = submit(), folder / "shared" / "shard-4-of-8.jsonl"
        wait_for(lambda: rows_in(rows) >= 5, "the first rows of the member to be killed")
        run("scancel", "--signal=KILL", "--full", f"{job}_3", env=environment)
        wait_for(queue_is_empty, "the end of the array")
        left = rows_in(rows)
        assert 5 <= left < SIMULATIONS // 8, f"the killed member left {left} of {SIMULATIONS // 8} rows"
        merge = subprocess.run(
            [reprise, "study", "merge", "ring.json", "-o", "shared"],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
        )
        missing = SIMULATIONS - sum(rows_in(path) for path in (folder / "shared").glob("shard-*"))
        assert merge.returncode == 1 and f"{missing} missing; no duplicates" in merge.stdout, merge.stdout
        submit("--array=3")
        wait_for(queue_is_empty, "the end of the member submitted again")
        print(f"member 3 was killed with {left} of {SIMULATIONS // 8} simulations done")


WAYS = {
    "mpirun": share_with_mpirun,
    "parallel": share_with_parallel,
    "slurm": share_with_slurm,
    "signal": share_with_signal,
}


def missing(way):
    if way == "slurm":
        return slurm_here.missing()
    return "" if way == "signal" or shutil.which(way) else f"there is no {way}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("way", choices=WAYS)
    options = parser.parse_args()
    if why := missing(options.way):
        print(f"skipped: {why}")
        return 77
    reprise = pathlib.Path(options.bin).resolve() / "reprise"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.chmod(folder, 0o755)
        # long enough where something is to be caught half-way
        write_study(folder, reprise, 6000 if options.way == "slurm" else 2000 if options.way == "signal" else 200)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(UNSET)}
        run(reprise, "study", "ring.json", "-o", "alone", cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        WAYS[options.way](folder, reprise, environment)
        merged = run(
            reprise, "study", "merge", "ring.json", "-o", "shared", cwd=folder, env=environment, capture_output=True
        ).stdout.decode()
        assert (
            f"{SIMULATIONS} of {SIMULATIONS} simulations: {SIMULATIONS} done; complete; no duplicates" in merged
        ), merged
        for result in ("results.json", "results.csv"):
            assert (folder / "alone" / result).read_bytes() == (
                folder / "shared" / result
            ).read_bytes(), f"{result} differs"
        keys = [
            json.loads(line)["key"]
            for path in (folder / "shared").glob("shard-*")
            for line in path.read_text().splitlines()
        ]
        assert len(keys) == len(set(keys)) == SIMULATIONS
        print(f"{options.way}: {SIMULATIONS} simulations, no duplicates, the results of one process to the last byte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
