#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table, one run: every pattern on every network from 64 to 65 536 ranks, beside SMPI and LogGOPSim.

usage: table.py BUILD_FOLDER [--loggopsim FOLDER] [--patterns …] [--ranks …] [--simulators flow,…,smpi,loggopsim] [--messages N] [--most N]
                [--rival-messages N] [--simgrid-ranks N] [--smpi-ranks N] [--loggopsim-messages N]
                [--rounds N] [--seconds S] [--rival-seconds S] [--gigabytes G] [--minutes M] [--bytes N] [--json OUT [--resume]] [--from JSON,JSON] [--markdown]

Each case is simulated at two lengths, the longer three times the shorter, which has about N messages and two steps at least; where that would be
more than --most messages, of one and of two steps; where that would be, too, one step is simulated once, and what starts the run counts with it (+). A case of more messages in one step is not run,
nor one whose messages, all under way at once, would not fit into G GB: its cells say why. All simulate the same calls: `simple` collectives; `linear` is the all-to-all in which everyone sends to everyone at once. SMPI gets them as
time-independent traces with the settings of against_smpi.py on the machine's own SimGrid file, LogGOPSim (FOLDER holds LogGOPSim and txt2bin)
as a schedule (goal.py), both of --rival-messages, since they cost ten times as much; LogGOPSim knows no topology and no contention, so its time is its own affair. Writing their files is not counted for either, nor txt2bin.

CPU us a message: user and system time of the longer run less that of the shorter, for the messages between; the median of --rounds, in each of which
both are run, in turn (of fewer, where these took --round-seconds of CPU together; of one, of SMPI and LogGOPSim). Differences of runs of a tenth of a second scatter by a
factor of two: hence so many messages. --instructions: callgrind's count instead, which nothing else on the machine disturbs; of ours only. Start: what is left of the shorter run,
us a rank. MB: largest resident memory of the longer run; below 17 it is the measuring process's. Time: predicted, of the longer run, against that of
`simgrid`, or of `flow` where SimGrid did not finish (*). Runs of more than S seconds of CPU, or G GB, are given up ("-"), on more ranks too. At the end:
for each pattern and simulator the worst growth of a message's cost for four times the ranks, and a list of those above 2, each with the least and the
most that the rounds would allow. Simulators may be run apart, each with a --json of
its own and the same --messages and --most: --from joins them. --markdown: all as a table with a line for each pattern
and simulator, a column for each number of ranks; in a cell CPU us a message, MB, and how far the predicted time is from the reference's.

Order: all patterns on few ranks first, then on four times as many, so that a table that is ended early has every pattern in it. After --minutes no
further case is begun. --resume goes on with the rows of --json: cases that are in it are not run again. Each cell that is empty has its reason, in the
row of the JSON and below the table: too slow on so many ranks or on fewer, beyond a limit of the options, not asked for any more.
"""
import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import against_smpi  # noqa: E402
import machine  # noqa: E402
import run  # noqa: E402
from table_text import PATTERNS, growth, joined, line, markdown, short_count  # noqa: E402

OURS = ("flow", "fluid", "queue", "uncontended", "simgrid")
RIVALS = ("smpi", "loggopsim")
SMPI_ALLTOALL = {"alltoall": "pair", "linear": "basic_linear"}
TOO_SLOW = "too slow, or not enough memory"
AT_ONCE = ("linear",)  # patterns whose messages of one step are all under way at once
LEAST_MESSAGE = 350  # bytes of memory that each of these takes at least


LIMITS = {}  # of each run: by what setrlimit() takes


def limit_run():
    for resource_kind, value in LIMITS.items():
        resource.setrlimit(resource_kind, (value, value))


def measured(command, seconds):
    """Output, CPU seconds, MB of a command; None where it takes too long or fails. SECONDS: of CPU; by the clock ten times as many."""
    LIMITS[resource.RLIMIT_CPU] = math.ceil(seconds)
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            list(map(str, command)), stdout=out, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit_run
        )
        late = threading.Timer(10 * seconds, os.killpg, (child.pid, signal.SIGKILL))
        late.start()
        _, status, use = os.wait4(child.pid, 0)
        late.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            return None
        out.seek(0)
        return out.read().decode(), use.ru_utime + use.ru_stime, use.ru_maxrss / 1e3


class Run:
    """A trace of some steps, in all the forms that simulators want."""

    def __init__(self, case, steps):
        self.case, self.steps, self.messages = case, steps, case.per_step * steps
        self.folder = case.folder / str(steps)
        self.folder.mkdir()
        self.trace = run.make_trace(*case.arguments(self.folder), steps, case.options.bytes, "jitter")
        self.exported = None

    def ours(self, network, tool=()):
        case = self.case
        command = [*tool, case.reprise, "replay", self.trace, "-p", case.platform, "--network", network]
        command += ["--no-fast-forward", "--no-mean-times", "--format", "json", "--quiet"]
        return measured(command, case.options.seconds)

    def export(self):
        if self.exported is None:
            self.exported = self.folder / "ti"
            if measured([self.case.reprise, "export", self.trace, "-o", self.exported, "--lossy"], 600) is None:
                return None
        return self.exported / "ti.txt"

    def smpi(self):
        case, index = self.case, self.export()
        if shutil.which("smpirun") is None or index is None:
            return None
        settings = against_smpi.SETTINGS | {"smpi/alltoall": SMPI_ALLTOALL.get(case.pattern, "pair")}
        command = ["smpirun", "-np", case.ranks, "-platform", case.simgrid_file(), "-hostfile", case.folder / "hosts"]
        command += ["-no-privatize", "-replay", index, *(f"--cfg={name}:{value}" for name, value in settings.items())]
        command += ["--log=root.thresh:critical", "--log=smpi_replay.thresh:info"]
        done = measured(command, case.options.rival_seconds)
        found = done and re.search(r"Simulation time (\S+)", done[0])
        return (float(found[1]), done[1], done[2]) if found else None

    def loggopsim(self):
        case = self.case
        index = self.export() if case.options.loggopsim else None
        if index is None:
            return None
        text, schedule = self.folder / "s.goal", self.folder / "s.bin"
        with open(text, "w") as out:
            subprocess.run([sys.executable, HERE / "goal.py", index], stdout=out, check=True)
        made = measured([case.options.loggopsim / "txt2bin", "-i", text, "-o", schedule], 600)
        text.unlink()
        if made is None:
            return None
        figures = ["-L", "4000", "-o", "0", "-g", "0", "-G", "0", "-O", "0", "-S", "65536", "-b"]
        done = measured([case.options.loggopsim / "LogGOPSim", "-f", schedule, *figures], case.options.rival_seconds)
        schedule.unlink()
        found = done and re.search(r"Maximum finishing time.*?\(([\d.e+-]+) s\)", done[0])
        return (float(found[1]), done[1], done[2]) if found else None

    def simulate(self, simulator):
        """Predicted seconds, CPU seconds (or instructions), MB; None where it does not finish."""
        if simulator == "smpi":
            return self.smpi()
        if simulator == "loggopsim":
            return self.loggopsim()
        if self.case.options.instructions:
            out = self.folder / "callgrind.out"
            done = self.ours(simulator, ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"))
            if done is None:
                return None
            answer = done[0][done[0].index("{") : done[0].rindex("}") + 1]
            return (
                json.loads(answer)["predicted_time_s"],
                int(re.search(r"Collected : (\d+)", done[0])[1]) / 1e6,
                done[2],
            )
        done = self.ours(simulator)
        return done and (json.loads(done[0])["predicted_time_s"], done[1], done[2])


class Case:
    def __init__(self, options, folder, pattern, ranks):
        self.options, self.folder, self.pattern, self.ranks = options, folder, pattern, ranks
        self.reprise = options.build / "bin/reprise"
        self.platform = folder / "machine.json"
        # In the platform, not as --set: changes would be compared with a second replay, without them.
        collectives = {"selection": "simple"} | ({"alltoall": "linear"} if pattern == "linear" else {})
        described = machine.machine(ranks)
        described["mpi"] |= {"collectives": collectives}
        self.platform.write_text(json.dumps(described))
        (folder / "hosts").write_text("".join(f"node-{r}\n" for r in range(ranks)))
        self.runs, self.rival_runs, self.is_slow = [], [], False
        # In collectives the allgather alone sends so many.
        self.per_step = ranks * (ranks - 1) if self.program() in ("alltoall", "collectives") else 1
        if self.too_large() is None and self.program() != "alltoall":
            self.per_step = 1
            counted = Run(self, 1).ours("uncontended")
            shutil.rmtree(folder / "1")
            if not counted or counted[0] is None:
                self.is_slow = True
                return
            self.per_step = json.loads(counted[0])["messages"]
        if self.too_large() is not None:
            return
        made = {}
        for messages, runs in ((options.messages, self.runs), (options.rival_messages, self.rival_runs)):
            steps = max(2, messages // self.per_step)
            lengths = (steps, 3 * steps) if 3 * steps * self.per_step <= options.most else (1, 2)
            if lengths[1] * self.per_step > options.most:
                lengths = (1,)
            for one in lengths:
                made[one] = made.get(one) or Run(self, one)
                runs.append(made[one])

    def too_large(self):
        """Why one step is too much for every simulator; None where it is not."""
        gigabytes = self.per_step * LEAST_MESSAGE / 1e9
        if self.pattern in AT_ONCE and gigabytes > self.options.gigabytes:
            return f"{short_count(self.per_step)} messages at once: {gigabytes:.0f} GB or more"
        if self.per_step > self.options.most:
            return f"{short_count(self.per_step)} messages a step"
        return None

    def beyond(self, simulator):
        """Why a simulator is not even tried; None where it is."""
        if simulator == "smpi" and self.ranks > self.options.smpi_ranks:
            return f"more than {self.options.smpi_ranks} ranks"
        if simulator == "simgrid" and self.ranks > self.options.simgrid_ranks:
            return f"more than {self.options.simgrid_ranks} ranks"
        if simulator == "loggopsim" and self.options.loggopsim is None:
            return "no --loggopsim"
        if simulator == "loggopsim" and self.rival_runs[-1].messages > self.options.loggopsim_messages:
            return f"more than {self.options.loggopsim_messages} messages"
        return None

    def program(self):
        return "alltoall" if self.pattern == "linear" else self.pattern

    def arguments(self, folder):
        return self.reprise, folder, self.program(), self.ranks

    def simgrid_file(self):
        xml = self.folder / "machine.xml"
        if not xml.exists():
            command = [self.reprise, "platform", "show", self.platform, "--format", "simgrid"]
            xml.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
        return xml

    def simulate(self, simulator):
        """time_s, us (or instructions) a message, start in us a rank, MB; None where one of the runs does not finish."""
        runs = self.rival_runs if simulator in RIVALS else self.runs
        is_once = simulator in RIVALS or self.options.instructions
        costs, starts, used = [], [], 0.0
        while not costs or (not is_once and len(costs) < self.options.rounds and used < self.options.round_seconds):
            found = []
            # Turned round each time: what slows the machine down for a while strikes both.
            for one in runs if len(costs) % 2 == 0 else reversed(runs):
                found.append(one.simulate(simulator))
                if found[-1] is None:
                    return None
            if len(costs) % 2 == 1:
                found.reverse()
            time, cpu, memory = found[-1]
            used += sum(one[1] for one in found)
            costs.append(cpu / runs[-1].messages)
            starts.append(0.0)
            if len(found) == 2:
                costs[-1] = (cpu - found[0][1]) / (runs[1].messages - runs[0].messages)
                starts[-1] = found[0][1] - costs[-1] * runs[0].messages
        cost, start = statistics.median(costs), statistics.median(starts)
        against = None
        if simulator == "smpi" and runs[-1].steps != self.runs[-1].steps:
            against = runs[-1].ours("flow")  # what the same run takes
            against = against and json.loads(against[0])["predicted_time_s"]
        return {
            "time_s": time,
            "cost": cost * 1e6,
            "costs": sorted(one * 1e6 for one in costs),
            "start": start / self.ranks * 1e6,
            "mb": memory,
            "lengths": len(runs),
            "against_s": against,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--loggopsim", type=pathlib.Path)
    parser.add_argument("--patterns", default=",".join(PATTERNS))
    parser.add_argument("--ranks", default="64,256,1024,4096,16384,65536")
    parser.add_argument("--simulators", default=",".join(OURS + RIVALS))
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--messages", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--round-seconds", type=float, default=20, help="of CPU, after which no further round is begun")
    parser.add_argument("--most", type=int, default=8_000_000)
    parser.add_argument("--rival-messages", type=int, help="of SMPI and LogGOPSim, instead of --messages")
    parser.add_argument("--simgrid-ranks", type=int, default=65_536)
    parser.add_argument("--smpi-ranks", type=int, default=1024, help="SMPI's cost grows with the square of the ranks")
    parser.add_argument("--loggopsim-messages", type=int, default=500_000, help="its files have a line a message")
    parser.add_argument("--bytes", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rival-seconds", type=float, help="of SMPI and LogGOPSim, instead of --seconds")
    parser.add_argument("--gigabytes", type=float, default=6, help="of memory that a run may have")
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--markdown", action="store_true", help="print the rows as a table of docs/RESULTS.md")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--resume", action="store_true", help="go on with the rows of --json")
    parser.add_argument("--from", dest="old", help="rows of earlier --json files, A,B,…, shown as one table, not run")
    options = parser.parse_args()
    options.rival_messages = options.rival_messages or options.messages
    options.rival_seconds = options.rival_seconds or options.seconds
    if options.resume and options.json is None:
        parser.error("--resume: which rows? Name their file with --json")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # SMPI has a file open for each rank
    LIMITS[resource.RLIMIT_DATA] = int(options.gigabytes * 1e9)
    simulators, rows, left_out = options.simulators.split(","), [], []
    print(f"in each column: {' '.join(simulators)}")
    print(
        "pattern       ranks messages | CPU us a message | start, us a rank | MB | predicted s, and the others against it"
    )
    if options.old or (options.resume and options.json.exists()):
        rows = joined(options.old.split(",") if options.old else [options.json])
        for row in rows:
            print(line(row, simulators))
    done = {(row["pattern"], row["ranks"]) for row in rows}
    # What takes too long takes longer on more ranks: by pattern and simulator, on how many it was.
    given_up = {
        (row["pattern"], simulator): row["ranks"]
        for row in rows
        for simulator, why in row.get("empty", {}).items()
        if why == TOO_SLOW
    }
    end = time.monotonic() + 60 * options.minutes
    for ranks in [] if options.old else map(int, options.ranks.split(",")):
        for pattern in options.patterns.split(","):
            if (pattern, ranks) in done:
                continue
            if time.monotonic() > end:
                left_out.append(f"{pattern} on {ranks} ranks (after {options.minutes:g} minutes)")
                continue
            with tempfile.TemporaryDirectory() as name:
                case = Case(options, pathlib.Path(name), pattern, ranks)
                row = {"pattern": pattern, "ranks": ranks, "found": {}, "empty": {}}
                row |= {"messages": case.runs[-1].messages if case.runs else case.per_step}
                row |= {"lengths": len(case.runs) or 1, "instructions": options.instructions}
                if not case.runs:
                    row["empty"] = dict.fromkeys(simulators, TOO_SLOW if case.is_slow else case.too_large())
                for simulator in simulators if case.runs else []:
                    why = case.beyond(simulator)
                    if why is None and (pattern, simulator) in given_up:
                        why = f"too slow on {given_up[pattern, simulator]} ranks"
                    found = case.simulate(simulator) if why is None else None
                    if found is not None:
                        row["found"][simulator] = found
                        continue
                    if why is None:
                        why = TOO_SLOW
                        given_up[pattern, simulator] = ranks
                    row["empty"][simulator] = why
                rows.append(row)
                print(line(row, simulators), flush=True)
                if options.json:
                    options.json.write_text(json.dumps(rows, indent=1) + "\n")
    rows.sort(key=lambda row: (PATTERNS.index(row["pattern"]), row["ranks"]))
    if options.markdown:
        markdown(rows, simulators)
    growth(rows, simulators)
    reasons = {}
    for row in rows:
        for simulator, why in row.get("empty", {}).items():
            reasons.setdefault(f"{simulator}: {why}", []).append(f"{row['pattern']} {row['ranks']}")
    for reason, cells in reasons.items():
        print(f"empty, {reason}: {', '.join(cells)}")
    if left_out:
        print("left out: " + "; ".join(left_out))


if __name__ == "__main__":
    main()
