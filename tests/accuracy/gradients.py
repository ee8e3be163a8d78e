#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is what one replay says of each parameter the derivative? Elasticities against differences of replays on changed platforms.

usage: gradients.py --bin BIN [--platforms A,B] [--networks uncontended,flow,queue] [--placements block,cyclic] [--step 0.0001] TRACE.reprise…

For each trace, network, platform and placement: `--details sensitivities` of one replay, and for each of eleven parameters the difference of
two replays, --step above and below. A derivative is what differences tend to: where they are off, a tenth of the step is tried, as another
path may take over in between, and ten times it, as durations are rounded to 2^-44 s (an overhead of 100 ns changed by 1e-4 to 0.3 % of the
change). A row has

  exact     replays that call their slopes exact, of how many
  error     the largest distance of an elasticity from the difference, relative to the predicted time, where slopes are called exact
  others    the same where they are not
  stated    the largest uncertainty that those state
  inside    how many of their parameters are within what they state (or 1e-4)

Exit: 0 where every exact one is within --within (1e-4), 1 where one is not.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MACHINES = pathlib.Path(__file__).resolve().parents[2] / "platforms" / "machines"
SCALED = {"compute": "--compute", "latency": "--latency", "bandwidth": "--bandwidth"}
# Where a machine does not say: that of the messages between nodes, or a copy at memory speed.
POINTERS = {
    "send_overhead": "/mpi/send_overhead",
    "recv_overhead": "/mpi/recv_overhead",
    "copy_bandwidth": "/mpi/copy_bandwidth",
    "intra_node/latency": "/intra_node/latency",
    "intra_node/bandwidth": "/intra_node/bandwidth",
    "intra_node/send_overhead": "/intra_node/mpi/send_overhead",
    "intra_node/recv_overhead": "/intra_node/mpi/recv_overhead",
    "intra_node/copy_bandwidth": "/intra_node/mpi/copy_bandwidth",
}
COPY = "9 GB/s"


def quantity(platform, pointer):
    """The text at a pointer, or what stands in for it."""
    value = platform
    for key in pointer.strip("/").split("/"):
        value = value.get(key, {}) if isinstance(value, dict) else {}
    if value:
        return value
    return COPY if pointer.endswith("copy_bandwidth") else quantity(platform, pointer.replace("/intra_node", ""))


def times(text, factor):
    number, unit = re.fullmatch(r"([0-9.e+-]+) (.+)", text).groups()
    return f"{float(number) * factor!r} {unit}"


class Machine:
    """A ready machine whose every overhead is written out, so that each can be changed alone."""

    def __init__(self, name, folder):
        self.platform = json.loads((MACHINES / f"{name}.json").read_text("utf-8"))
        self.platform.pop("$schema", None)
        self.name, self.folder = name, folder
        self.values = {parameter: quantity(self.platform, pointer) for parameter, pointer in POINTERS.items()}

    def words(self, parameter=None, factor=1.0):
        """Options of replay: a file with the parameter changed."""
        platform = json.loads(json.dumps(self.platform))
        for name, pointer in POINTERS.items():
            *path, last = pointer.strip("/").split("/")
            place = platform
            for key in path:
                place = place.setdefault(key, {})
            place[last] = times(self.values[name], factor if name == parameter else 1.0)
        file = self.folder / f"{self.name}-{str(parameter).replace('/', '-')}-{factor!r}.json"
        file.write_text(json.dumps(platform), "utf-8")
        return ["-p", file] + ([SCALED[parameter], f"{factor!r}x"] if parameter in SCALED else [])


def replay(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def measure(base, machine, step, pool):
    """Whether exact, the error of each parameter, and what is stated of it."""
    words = {None: machine.words()}
    for parameter in [*SCALED, *POINTERS]:
        for sign in (1, -1):
            words[parameter, sign] = machine.words(parameter, (1 + step) ** sign)
    commands = {key: base + more for key, more in words.items()}
    commands[None] += ["--details", "sensitivities"]
    answers = dict(zip(commands, pool.map(replay, commands.values())))
    rows = {row["parameter"]: row for row in answers[None]["sensitivities"]}
    time = answers[None]["predicted_time_s"]
    errors, stated = {}, {}
    for parameter in [*SCALED, *POINTERS]:
        ends = [answers[parameter, sign]["predicted_time_s"] for sign in (1, -1)]
        errors[parameter] = abs(rows[parameter]["elasticity"] - (ends[0] - ends[1]) / (2 * math.log1p(step)) / time)
        stated[parameter] = rows[parameter]["uncertainty"]
    return not rows["compute"]["why_not_exact"], errors, stated


def errors_of(base, machine, options, pool):
    """As measure; where that is too far off, at a tenth of the step (another path takes over in between) and at ten times it (rounding)."""
    exact, errors, stated = measure(base, machine, options.step, pool)
    if exact and max(errors.values()) > options.within:
        for step in (options.step / 10, options.step * 10):
            other = measure(base, machine, step, pool)[1]
            errors = {parameter: min(error, other[parameter]) for parameter, error in errors.items()}
    inside = sum(errors[parameter] <= max(stated[parameter], 1e-4) for parameter in errors)
    return exact, max(errors.values()), max(stated.values()), inside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--platforms", default="ethernet-10g,infiniband-edr,fat-tree-32")
    parser.add_argument("--networks", default="uncontended,flow,queue")
    parser.add_argument("--placements", default="block,cyclic")
    parser.add_argument("--step", type=float, default=1e-4)
    parser.add_argument("--within", type=float, default=1e-4)
    options = parser.parse_args()
    placements = options.placements.split(",")
    parameters, failed = len(SCALED) + len(POINTERS), False
    print("| trace | network | exact | error | others | stated | inside |\n|---|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        machines = [Machine(name, pathlib.Path(folder)) for name in options.platforms.split(",")]
        for trace in options.traces:
            for network in options.networks.split(","):
                exact, error, others, stated, inside = 0, 0.0, 0.0, 0.0, 0
                for machine, placement in [(m, p) for m in machines for p in placements]:
                    base = [options.bin / "reprise", "replay", trace, "--network", network, "--placement", placement]
                    base += ["--format", "json", "--no-fast-forward"]
                    is_exact, off, says, good = errors_of(base, machine, options, pool)
                    if is_exact:
                        exact, error = exact + 1, max(error, off)
                    else:
                        others, stated, inside = max(others, off), max(stated, says), inside + good
                runs = len(machines) * len(placements)
                failed |= error > options.within
                rest = (
                    f"{others:.0e} | {stated:.0e} | {inside}/{parameters * (runs - exact)}" if exact < runs else " | | "
                )
                print(
                    f"| {trace.stem} | {network} | {exact}/{runs} | {f'{error:.0e}' if exact else ''} | {rest} |",
                    flush=True,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
