#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exported timelines as readers see them that are none of ours: as many calls, sends, receives and collectives as the window has,
computing between them, functions around them.

usage: other_readers.py REPRISE TRACE.reprise…

Each trace is exported as recorded and as predicted: OTF2 is read by `otf2-print` and by python3-otf2 (both of the OTF2 project), Paraver's .prv
line by line by the rules of its format (kinds of records, the header's objects, every event labelled in the .pcf), JSON by Python's reader.
Compared with the counts of `reprise trace info` (calls) and of the predicted window's CSV and JSON (calls, messages).
Exit 77 where otf2-print or python3-otf2 is not installed (the test is skipped).
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import otf2
    from otf2 import events
except ImportError:
    # another python3 comes first in PATH than the one that Debian's python3-otf2 belongs to
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and "REPRISE_TRIED" not in os.environ:
        os.execve("/usr/bin/python3", ["/usr/bin/python3", *sys.argv], {**os.environ, "REPRISE_TRIED": "1"})
    print("skipped: python3-otf2 is not installed")
    sys.exit(77)

MACHINE = ["-p", "ethernet-10g", "--placement", "cyclic"]
problems = []


def expect(where, what, seen, wanted):
    if seen != wanted:
        problems.append(f"{where}: {what}: {seen}, expected {wanted}")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def otf2_print(anchor):
    """Events by kind, as the tool prints them: a line each that begins with the event's name. Regions of call paths are left out."""
    return collections.Counter(
        line.split()[0]
        for line in run("otf2-print", anchor).splitlines()
        if re.match(r"^[A-Z_]+ +\d+ ", line) and ("Region:" not in line or 'Region: "MPI_' in line)
    )


def otf2_library(anchor):
    kinds = collections.Counter()
    with otf2.reader.open(str(anchor)) as trace:
        for _, event in trace.events:
            region = getattr(event, "region", None)
            if region is None or region.name.startswith("MPI_"):
                kinds[type(event).__name__] += 1
    return kinds


# What both call the same.
SAME = {
    "ENTER": events.Enter,
    "LEAVE": events.Leave,
    "MPI_SEND": events.MpiSend,
    "MPI_ISEND": events.MpiIsend,
    "MPI_ISEND_COMPLETE": events.MpiIsendComplete,
    "MPI_IRECV_REQUEST": events.MpiIrecvRequest,
    "MPI_RECV": events.MpiRecv,
    "MPI_IRECV": events.MpiIrecv,
    "MPI_COLLECTIVE_BEGIN": events.MpiCollectiveBegin,
    "MPI_COLLECTIVE_END": events.MpiCollectiveEnd,
}


def check_regions(where, anchor):
    """Each function is one region, and each rank is in one region from its first event to its last, in which all others nest."""
    told = subprocess.run(["otf2-print", "-G", str(anchor)], capture_output=True, text=True, check=True).stderr
    expect(where, "what otf2-print remarks on the definitions", told, "")
    with otf2.reader.open(str(anchor)) as trace:
        names = collections.Counter((region.name, region.source_file) for region in trace.definitions.regions)
        expect(where, "regions defined twice", [name for name, count in names.items() if count > 1], [])
        stacks, outermost = collections.defaultdict(list), collections.defaultdict(list)
        for location, event in trace.events:
            stack = stacks[location.group.name]
            if isinstance(event, events.Enter):
                if not stack:
                    outermost[location.group.name].append((event.region.name, event.time))
                stack.append(event.region.name)
            elif isinstance(event, events.Leave):
                expect(where, f"region left on {location.group.name}", event.region.name, stack.pop())
    for rank, entered in outermost.items():
        expect(where, f"regions around all of {rank}", len(entered), 1)
        expect(where, f"{rank} begins in an MPI call", entered[0][0].startswith("MPI_"), False)
        expect(where, f"first event of {rank}", entered[0][1], 0)
    expect(where, "regions left open", [rank for rank, stack in stacks.items() if stack], [])


def check_otf2(where, anchor, calls, messages):
    printed, read = otf2_print(anchor), otf2_library(anchor)
    for name, event in SAME.items():
        expect(where, f"{name} by otf2-print and by python3-otf2", printed[name], read[event.__name__])
    check_regions(where, anchor)
    expect(where, "calls entered", printed["ENTER"], calls)
    expect(where, "calls left", printed["LEAVE"], calls)
    expect(where, "collectives ended", printed["MPI_COLLECTIVE_END"], printed["MPI_COLLECTIVE_BEGIN"])
    if messages is not None:
        expect(where, "sends", printed["MPI_SEND"] + printed["MPI_ISEND"], messages)
        expect(where, "receives", printed["MPI_RECV"] + printed["MPI_IRECV"], messages)


def check_prv(where, path, calls, messages):
    lines = path.read_text(encoding="utf-8").splitlines()
    header = re.match(r"^#Paraver \(.*\):(\d+)(?:_ns)?:\d+\([\d,]*\):\d+:(\d+)\(", lines[0])
    end, tasks = int(header.group(1)), int(header.group(2))
    labelled = set(re.findall(r"^\d+ +(\d{8}) ", path.with_suffix(".pcf").read_text(encoding="utf-8"), re.M))
    entered = left = arrows = 0
    states = collections.defaultdict(list)
    for line in lines[1:]:
        if line.startswith("c:"):
            continue
        fields = line.split(":")
        if fields[0] == "1":
            expect(where, f"state {line}", len(fields), 8)
            begin, until = int(fields[5]), int(fields[6])
            states[fields[3]].append((begin, until, fields[7]))
            expect(where, f"state {line} lies in the trace", 0 <= begin <= until <= end, True)
        elif fields[0] == "2":
            pairs = list(zip(fields[6::2], fields[7::2]))
            unknown = [kind for kind, _ in pairs if kind not in labelled]
            expect(where, f"types of {line} without a label", unknown, [])
            mpi = [int(value) for kind, value in pairs if kind.startswith("5000000")]
            entered += sum(value != 0 for value in mpi)
            left += sum(value == 0 for value in mpi)
        elif fields[0] == "3":
            expect(where, f"communication {line}", len(fields), 15)
            logical_send, physical_send, logical_receive, physical_receive = (int(fields[i]) for i in (5, 6, 11, 12))
            in_order = logical_send <= physical_send <= physical_receive
            expect(where, f"order of {line}", in_order, True)
            expect(where, f"receive of {line}", logical_receive <= physical_receive <= end, True)
            expect(where, f"tasks of {line}", 1 <= int(fields[3]) <= tasks and 1 <= int(fields[9]) <= tasks, True)
            arrows += 1
        else:
            problems.append(f"{where}: {line} is no record of Paraver's")
    for task, ones in states.items():
        # the whole run, without gaps: Running (1) wherever it is in no call
        gaps = [a[1] for a, b in zip([(0, 0)] + ones, ones) if a[1] != b[0]]
        expect(where, f"times of task {task} without a state", gaps, [])
        expect(where, f"task {task} is Running", any(state == "1" for _, _, state in ones), True)
    expect(where, "calls entered", entered, calls)
    expect(where, "calls left", left, calls)
    if messages is not None:
        expect(where, "communications", arrows, messages)


def check_chrome(where, path, calls, messages):
    found = collections.Counter()
    ends = collections.defaultdict(set)
    for event in json.loads(path.read_text(encoding="utf-8"))["traceEvents"]:
        found[event["ph"]] += 1
        if event["ph"] in "sf":
            ends[event["id"]].add(event["ph"])
    expect(where, "slices", found["X"], calls)
    expect(where, "flows that begin and end", sum(kinds == {"s", "f"} for kinds in ends.values()), found["s"])
    expect(where, "ends of flows", found["f"], found["s"])
    if messages is not None:
        expect(where, "arrows", found["s"], messages)


READERS = {
    "otf2": lambda where, folder, *counts: check_otf2(where, folder / "traces.otf2", *counts),
    "prv": check_prv,
    "chrome": check_chrome,
}


def main():
    if not shutil.which("otf2-print"):
        print("skipped: otf2-print is not installed")
        return 77
    reprise = sys.argv[1]
    for trace in sys.argv[2:]:
        info = json.loads(run(reprise, "trace", "info", trace, "--format", "json"))
        window = json.loads(run(reprise, "replay", trace, *MACHINE, "--from", "0s", "--format", "json"))["timeline"][
            "window"
        ]
        predicted = (len(window["calls"]["rank"]), len(window["messages"]["from"]))
        starts_persistent = any(name.startswith("MPI_Start") for name in window["sites"].values())
        with tempfile.TemporaryDirectory() as scratch:
            for kind, options, counts in (
                ("recorded", [], (info["operations"], None)),
                ("predicted", MACHINE, predicted),
            ):
                for form, check in READERS.items():
                    to = (
                        pathlib.Path(scratch)
                        / f"{kind}-{form}{'' if form == 'otf2' else '.prv' if form == 'prv' else '.json'}"
                    )
                    run(reprise, "export", trace, "--format", form, *options, "-o", to)
                    calls, messages = counts
                    if form == "otf2" and starts_persistent:
                        messages = None  # OTF2 has no record of starting one; the call's attributes tell
                    check(f"{pathlib.Path(trace).stem}, {kind}, {form}", to, calls, messages)
    for problem in problems[:40]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
