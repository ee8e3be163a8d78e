#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Call streams of instrumented programs: how much smaller they are than 2 bytes an event, beside general compressors, and what recording them costs.

usage: run.py --bin FOLDER --coder BENCH_CALL_CODER [--launcher MPIRUN] [--runs N] NAME:RANKS:FOLDER:BARE:INSTRUMENTED[:ARGUMENTS] …

For each program BARE and INSTRUMENTED (both paths from FOLDER, where they are run) are the same sources without and with -finstrument-functions. Times are the
least of --runs runs, whole commands: bare, instrumented with hooks that do nothing, recorded with calls, and with their times; MPI calls are recorded in the
last two, and in `mpi alone` (a trace without calls), which says what of it is the trace's. Compressors read the 2-byte symbols of all streams.
The bytes a second of a core are those of the file over the ranks and over the least time with calls.
Coding is the CPU time of coding these symbols alone, the least of three: by our coder, in its forms and the paper's, one after another, and by zlib at level 1 in
one call.
"""
import argparse
import bz2
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time
import zlib

EMPTY = """#define HOOK __attribute__((no_instrument_function, visibility("default"))) void
HOOK __cyg_profile_func_enter(void *f, void *s) { (void)f; (void)s; }
HOOK __cyg_profile_func_exit(void *f, void *s) { (void)f; (void)s; }
"""


FORMS = ("sparse", "context", "symbol")  # ours; ours before it was sparse; the paper's


def cpu_time(call, *arguments):
    begin = time.process_time()
    call(*arguments)
    return time.process_time() - begin


def least_time(command, folder, runs, environment=None):
    best = math.inf
    for _ in range(runs):
        begin = time.monotonic()
        done = subprocess.run(command, cwd=folder, capture_output=True, env={**os.environ, **(environment or {})})
        if done.returncode != 0:
            raise SystemExit(f"{command}: {done.stderr.decode()[-500:]}")
        best = min(best, time.monotonic() - begin)
    return best


def zstd(data, level):
    return len(subprocess.run(["zstd", f"-{level}", "-c"], input=data, capture_output=True, check=True).stdout)


def gzip(data, level):
    packed = zlib.compressobj(level, wbits=31)
    return len(packed.compress(data)) + len(packed.flush())


COMPRESSORS = {
    "gzip -1": lambda data: gzip(data, 1),
    "gzip -9": lambda data: gzip(data, 9),
    "bzip2": lambda data: len(bz2.compress(data)),
    "zstd -1": lambda data: zstd(data, 1),
    "zstd -19": lambda data: zstd(data, 19),
}


def measure(options, text, folder):
    name, ranks, where, bare, instrumented, *arguments = text.split(":", 5)
    arguments = arguments[0].split() if arguments else []
    run = [options.launcher, "-n", ranks]
    reprise = str(options.bin.resolve() / "reprise")
    calls = folder / f"{name}.calls"

    def record(*more):
        words = [reprise, "record", "-q", "--force", "--no-symbols", *more, "-o", str(folder / f"{name}.reprise"), "--"]
        return least_time(words + run + [instrumented, *arguments], where, options.runs)

    times = {"bare": least_time(run + [bare, *arguments], where, options.runs)}
    empty = {"LD_PRELOAD": str(folder / "empty.so")}
    times["empty"] = least_time(run + [instrumented, *arguments], where, options.runs, empty)
    times["mpi alone"] = record()
    times["timed"] = record("--functions", "trace,timed")
    times["calls"] = record("--functions", "trace")
    streams = json.loads(
        subprocess.run([reprise, "trace", "calls", calls, "--format", "json"], capture_output=True, check=True).stdout
    )["streams"]
    events = sum(stream["events"] for stream in streams)
    ratio = {"calls": 2 * events / sum(stream["bytes"] for stream in streams)}
    raw, size, coding = b"", dict.fromkeys(FORMS, 0), dict.fromkeys(FORMS, 0.0)
    for stream in streams:
        which = [str(stream["rank"]), str(stream["thread"])]
        raw += subprocess.run([options.coder, "raw", calls, *which], capture_output=True, check=True).stdout
        for form in size:
            again = [options.coder, "again", calls, *which, form, "18"]
            words = [subprocess.run(again, capture_output=True, check=True).stdout.split() for _ in range(3)]
            size[form] += int(words[0][2])
            coding[form] += min(float(one[4]) for one in words)
    ratio["paper's form"] = 2 * events / size["symbol"]
    coding["gzip -1"] = min(cpu_time(gzip, raw, 1) for _ in range(3))
    for compressor, packed_size in COMPRESSORS.items():
        ratio[compressor] = len(raw) / packed_size(raw)
    size_of_file = (folder / f"{name}.calls").stat().st_size
    rate = size_of_file / 1000 / int(ranks) / times["calls"]
    print(f"{name}: {ranks} ranks, {events} events, {size_of_file} bytes, {rate:.1f} kB/s a core")
    print("  ratio " + ", ".join(f"{key} {value:.1f}" for key, value in ratio.items()))
    print("  " + ", ".join(f"{key} {value:.2f} s" for key, value in times.items()), flush=True)
    print(
        "  coding, CPU ns an event " + ", ".join(f"{key} {1e9 * value / events:.1f}" for key, value in coding.items())
    )
    return ratio, times, coding, rate


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--coder", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", default="mpirun.openmpi")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    options.coder = options.coder.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMP_NUM_THREADS="1",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "empty.c").write_text(EMPTY)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "empty.c", "-o", "empty.so"], cwd=folder, check=True)
        measured = [measure(options, text, folder) for text in options.program]
    print("geometric means:")
    print("  ratio " + ", ".join(f"{key} {mean([ratio[key] for ratio, *_ in measured]):.1f}" for key in measured[0][0]))
    rates = [rate for *_, rate in measured]
    print(f"  kB/s a core: arithmetic mean {sum(rates) / len(rates):.1f}, at most {max(rates):.1f}")
    long_enough = [coding for _, _, coding, _ in measured if min(coding.values()) > 0.005]
    coding = {key: mean([one["gzip -1"] / one[key] for one in long_enough]) for key in FORMS}
    print(
        "  coding, CPU time of gzip -1 over ours, " + ", ".join(f"{key} {value:.2f}" for key, value in coding.items())
    )
    for against in ("bare", "empty"):
        slowdown = {key: mean([times[key] / times[against] for _, times, *_ in measured]) for key in ("calls", "timed")}
        print(f"  slowdown against {against}: " + ", ".join(f"{key} {value:.2f}" for key, value in slowdown.items()))


if __name__ == "__main__":
    main()
