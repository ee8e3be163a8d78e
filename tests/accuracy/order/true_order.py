#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real programs: a replay of the recorded distributions against the same run's compute times in their true order.

usage: true_order.py --bin FOLDER --programs LIST -o FOLDER [--clock cpu|wall] [--deltas mean,distribution,ordered] [--only NAMES]

LIST as in ../README.md. Each program runs once (Open MPI), recorded, with duration_log.c in front of the recorder: the log has every
compute time in its order. The truth is SimGrid's own replay (smpirun -replay) of the exported trace, whose compute times are taken from
the log, on a network that costs nothing. Our replay of the recording on the same network is compared with it. What the log itself adds to
each recorded compute time (some 0.8 us a call) is added to the logged times as well: the same for all calls of a rank, so that their sum is what the
trace says that the rank computed. It is printed; a rank of which it is not the same as of the others was not recorded right.

A program whose calls cannot be matched with the lines of the exported trace (polls, threads) is named and left out.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
from programs import read_programs  # noqa: E402

GFLOPS = 1e9  # of the simulated hosts: a flop is a nanosecond

# The line that an exported trace has for a call of ours; procedures without a line of their own export nothing.
LINES = {
    "Send": "send", "Ssend": "send", "Rsend": "send", "Isend": "isend", "Issend": "isend", "Recv": "recv", "Irecv": "irecv",
    "Sendrecv": "sendrecv", "Wait": "wait", "Waitall": "waitall", "Barrier": "barrier", "Bcast": "bcast", "Reduce": "reduce",
    "Allreduce": "allreduce", "Alltoall": "alltoall", "Alltoallv": "alltoallv", "Gather": "gather", "Gatherv": "gatherv",
    "Scatter": "scatter", "Scatterv": "scatterv", "Allgather": "allgather", "Allgatherv": "allgatherv", "Scan": "scan",
    "Reduce_scatter": "reducescatter", "Comm_split": "comm_split", "Comm_dup": "comm_dup", "Cart_create": "comm_split", "Cart_sub": "comm_split", "Finalize": "finalize",
}  # fmt: skip

# No line where the partner is MPI_PROC_NULL, or the requests are null.
TO_NOBODY = ("Send", "Isend", "Recv", "Irecv", "Wait", "Waitall")


class Unmatched(Exception):
    pass


def compile_log(folder):
    """The preloaded library, with Fortran's names of the recorder's procedures."""
    names = re.findall(
        r"^(?:RECORDED|HANDWRITTEN|LIFECYCLE|UNMODELLED)\((\w+)", (SOURCE / "recorder/mpi_calls.def").read_text(), re.M
    )
    (folder / "fortran_names.inc").write_text("".join(f'WRAP(mpi_{name.lower()}_, "{name}")\n' for name in names))
    library = folder / "duration_log.so"
    command = [
        "gcc",
        "-O2",
        "-shared",
        "-fPIC",
        f"-I{SOURCE}",
        f"-I{folder}",
        HERE / "duration_log.c",
        "-o",
        library,
        "-ldl",
    ]
    subprocess.run(command, check=True)
    return library


def logged(path, computed):
    """What a rank called and computed before, in ns, of `computed` in all: [(procedure, ns)]; and what the log adds to each."""
    with open(path) as file:
        calls = [(name, int(ns)) for name, ns in (line.split() for line in file)]
    all_logged = sum(ns for _, ns in calls)
    added = (computed - all_logged) / len(calls)
    if added < 0:  # threads beside it made the log's own clock readings longer: no time may become negative
        return [(name, ns * computed / all_logged) for name, ns in calls], added
    return [(name, ns + added) for name, ns in calls], added


def in_true_order(rank, lines, log):
    """The rank's exported lines with the logged compute times in place of the recorded ones. What is played of local calls stays."""
    out, computes, calls, before = [], [], iter(log), ""
    for line in lines:
        action = line.split()[1].lower()
        if action == "compute":
            computes.append(line)
            continue
        if action == "wait" and before == "Waitall" and not computes:  # one line for each of its requests
            out.append(line)
            continue
        if action != "init":
            met = 0
            for name, ns in calls:
                before, met = name, met + 1
                out.append(f"{rank} compute {ns}\n")
                if LINES.get(name) == action or (name == "Waitall" and action == "wait"):
                    break
                if name in LINES and name not in TO_NOBODY:
                    raise Unmatched(f"rank {rank}: the log has {name} where the trace has {action!r}")
            else:
                raise Unmatched(f"rank {rank}: the log ends before line {action!r}")
            out += computes[met:]  # one is each call's, also of calls without a line
        out.append(line)
        computes = []
    return out


def smpi_time(folder, ranks):
    """What SimGrid takes for FOLDER/ti.txt where messages cost nothing."""
    hosts = "".join(f'<host id="n{i}" speed="1Gf"/>' for i in range(ranks))
    links = '<link id="l" bandwidth="1e15Bps" latency="0s" sharing_policy="FATPIPE"/>'
    routes = "".join(
        f'<route src="n{i}" dst="n{j}"><link_ctn id="l"/></route>' for i in range(ranks) for j in range(i, ranks)
    )
    (folder / "ideal.xml").write_text(
        '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        f'<platform version="4.1"><zone id="z" routing="Full">{hosts}{links}{routes}</zone></platform>\n'
    )
    (folder / "hosts").write_text("".join(f"n{i}\n" for i in range(ranks)))
    options = [
        "--cfg=network/model:CM02",
        "--cfg=network/TCP-gamma:0",
        "--cfg=network/crosstraffic:0",
        "--cfg=smpi/send-is-detached-thresh:1000000000",
    ]
    command = [
        "smpirun",
        "-np",
        str(ranks),
        "-platform",
        folder / "ideal.xml",
        "-hostfile",
        folder / "hosts",
        "-no-privatize",
        *options,
    ]
    done = subprocess.run([*command, "-replay", folder / "ti.txt"], capture_output=True, text=True, check=True)
    return float(re.search(r"Simulation time ([0-9.]+)", done.stdout + done.stderr).group(1))


def replayed(reprise, trace, deltas):
    """What a replay says where messages cost nothing."""
    command = [reprise, "replay", trace, "-p", HERE / "ideal.json", "--placement", "cyclic", "--deltas", deltas]
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measure(options, program, library):
    reprise, trace = options.bin / "reprise", options.output / f"{program.name}.reprise"
    log, folder = options.output / f"{program.name}.log", options.output / f"{program.name}.ti"
    environment = dict(
        os.environ, DURATION_LOG=str(log), DURATION_LOG_CLOCK=options.clock, OMPI_MCA_mpi_yield_when_idle="1"
    )
    # In front of the recorder: the first of the preloaded libraries.
    command = [
        reprise,
        "record",
        "--force",
        "--clock",
        options.clock,
        "-o",
        trace,
        "--",
        "mpirun",
        "--oversubscribe",
        "-n",
        str(program.ranks),
    ]
    command += ["env", "sh", "-c", f'LD_PRELOAD="{library}:$LD_PRELOAD" exec "$0" "$@"', *program.command]
    subprocess.run(command, env=environment, cwd=program.folder, capture_output=True, check=True)
    subprocess.run([reprise, "export", trace, "-o", folder, "--lossy"], capture_output=True, check=True)
    means = replayed(reprise, trace, "mean")
    overheads = []
    for rank in range(program.ranks):
        file = folder / f"rank-{rank}.txt"
        calls, added = logged(f"{log}.{rank}", means["ranks"][rank]["compute_s"] * 1e9)
        overheads.append(added)
        file.write_text("".join(in_true_order(rank, file.read_text().splitlines(True), calls)))
    truth = smpi_time(folder, program.ranks)
    times = [replayed(reprise, trace, deltas)["predicted_time_s"] for deltas in options.deltas.split(",")]
    errors = [100 * (time / truth - 1) for time in times]
    return truth, errors, overheads, trace.stat().st_size


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--clock", default="cpu")
    parser.add_argument("--deltas", default="mean,distribution,ordered")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.bin, options.output = options.bin.resolve(), options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    library = compile_log(options.output)
    print(
        "| program | ranks | true order, s | " + " | ".join(options.deltas.split(",")) + " | bytes | added by the log |"
    )
    print("|---|---|---|" + "---|" * (len(options.deltas.split(",")) + 2))
    for program in read_programs(options.programs, options.only.split(",") if options.only else None):
        try:
            truth, errors, overheads, size = measure(options, program, library)
            cells = [f"{truth:.6f}", *(f"{error:+.1f} %" for error in errors), str(size)]
            cells.append(f"{min(overheads):.0f} … {max(overheads):.0f} ns")
        except Unmatched as error:
            cells = [str(error)]
        except subprocess.CalledProcessError as error:
            said = (error.stderr or "").strip().splitlines() or ["no message"]
            cells = [f"exit {error.returncode} of {error.cmd[0]}: {said[-1]}"]
        print("| " + " | ".join([program.name, str(program.ranks), *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
