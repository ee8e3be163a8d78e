# SPDX-License-Identifier: MIT
"""Programs under study, and how they are run: bare, recorded, under mpiP, replayed live, replayed in simulation."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Program:
    """A line "NAME RANKS COMMAND…" of a list of programs; a word DIR=FOLDER before the command is where it runs."""

    def __init__(self, line):
        words = line.split()
        if len(words) < 3 or not words[1].isdigit():
            sys.exit(f'"{line}": write a program as NAME RANKS [DIR=FOLDER] COMMAND…')
        self.name, self.ranks, self.command = words[0], int(words[1]), words[2:]
        self.folder = None
        if self.command[0].startswith("DIR="):
            self.folder = pathlib.Path(self.command.pop(0)[4:])


def read_programs(path, only):
    lines = [line.split("#")[0].strip() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]
    programs = [Program(line) for line in lines if line]
    return [p for p in programs if not only or p.name in only]


class Bench:
    def __init__(self, options):
        self.bin = pathlib.Path(options.bin).resolve()
        self.launcher, self.mpip, self.seconds = options.launcher.split(), options.mpip, options.seconds
        self.folder = pathlib.Path(options.output).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)

    def clock(self):
        """The library that times a run; made on first use."""
        library = self.folder / "run_clock.so"
        if not library.exists():
            subprocess.run(
                ["mpicc", "-O2", "-shared", "-fPIC", str(HERE / "run_clock.c"), "-o", str(library)], check=True
            )
        return library

    def mpirun(self, ranks, environment, command, folder=None, before=()):
        line = list(map(str, before)) + self.launcher + ["-n", str(ranks)]
        for name, value in environment.items():
            line += ["-x", f"{name}={value}"]
        line += list(map(str, command))
        # In a session of its own, so that ranks that hang can be ended with their launcher.
        child = subprocess.Popen(
            line,
            cwd=folder or self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            out, err = child.communicate(timeout=self.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 15)
            child.communicate()
            raise RuntimeError(f"took longer than {self.seconds} s: {' '.join(line)}") from None
        if child.returncode != 0:
            raise RuntimeError(f"exit {child.returncode}: {' '.join(line)}\n{out[-500:]}{err[-500:]}")
        return out, err

    def reprise(self, *words, check=True):
        done = subprocess.run(
            [str(self.bin / "reprise"), *map(str, words)], capture_output=True, text=True, timeout=600
        )
        if check and done.returncode != 0:
            raise RuntimeError(f"reprise {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")
        return done

    def check_platform(self, platform):
        """Ends the script where no replay could use it, before any program has run."""
        done = self.reprise("platform", "check", platform, check=False)
        if done.returncode == 0:
            return
        problem = done.stderr.strip().removeprefix("reprise: error: ").removeprefix("reprise platform check: ")
        if "\n" not in problem:  # nothing says what to do
            problem += "\n  name a platform of `reprise platform list`, or a file that `reprise platform calibrate` has written"
        sys.exit(f"--platform: {problem}")

    def timed(self, program, command=None):
        """Seconds from the end of MPI_Init to MPI_Finalize, on the slowest rank."""
        told = self.folder / "run_clock.txt"
        told.unlink(missing_ok=True)
        self.mpirun(
            program.ranks, {"LD_PRELOAD": self.clock(), "RUN_CLOCK": told}, command or program.command, program.folder
        )
        return float(told.read_text().split()[-1])

    def record(self, program, trace, clock="wall", options=()):
        os.environ["REPRISE_PARTS"] = "keep"
        shutil.rmtree(f"{trace}.parts", ignore_errors=True)
        self.mpirun(
            program.ranks,
            {},
            program.command,
            program.folder,
            before=[self.bin / "reprise", "record", "--force", "--clock", clock, "-o", trace, *options, "--"],
        )
        return json.loads(self.reprise("trace", "info", trace, "--format", "json").stdout)["elapsed_s"]

    def under_mpip(self, program, name, command=None):
        """mpiP's report. Without address randomisation, so that it can name the call sites of all ranks."""
        into = self.folder / "mpip" / name
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)
        self.mpirun(
            program.ranks,
            {"LD_PRELOAD": self.mpip, "MPIP": f"-k 1 -f {into}"},
            ["setarch", "x86_64", "-R", *(command or program.command)],
            program.folder,
        )
        reports = sorted(into.glob("*.mpiP"))
        if not reports:
            raise RuntimeError(f"mpiP wrote no report in {into}")
        return reports[0]

    def live(self, ranks, trace, deltas="ordered"):
        """Seconds of a live replay, by its own clock."""
        _, err = self.mpirun(ranks, {}, [self.bin / "reprise-live", trace, "--deltas", deltas, "--stats"])
        lines = [line for line in err.splitlines() if line.startswith("reprise-live: ") and line.endswith(" s")]
        return float(lines[-1].split()[1])

    def simulated(self, trace, platform, *options):
        return json.loads(self.reprise("replay", trace, "--platform", platform, "--format", "json", *options).stdout)


def add_common_options(parser):
    parser.add_argument("--bin", required=True, help="the folder of reprise and reprise-live")
    parser.add_argument("--launcher", default="mpirun --oversubscribe")
    parser.add_argument("--mpip", default="", help="libmpiP.so")
    parser.add_argument(
        "--programs", required=True, help="a list of programs: NAME RANKS [DIR=FOLDER] COMMAND, one a line"
    )
    parser.add_argument("--only", default="", help="names of programs, with commas between them")
    parser.add_argument("--seconds", type=int, default=300, help="after which a run is given up")
    parser.add_argument("-o", "--output", required=True, help="a folder for traces, reports and results")
