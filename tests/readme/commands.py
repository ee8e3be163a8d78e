#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every command that README.md shows, in its order, and compares the shown outputs with what the commands print.

usage: commands.py BIN ROOT [--update]

Commands are indented lines that begin with a program's name, and the lines behind "$ " of a fenced block, whose other lines are the
output. Each must end with exit status 0 (FOUND_OUT: or with what says that something differs). An output is compared by its lines'
shapes: numbers, paths and names are masked, "…" stands for lines that are left out. Lines that a run has or has not by what the machine did (MAY_LACK) are left aside. What a command
reads that a reader has and this test has not, is made first (PREPARED). --update writes the outputs into README.md.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

HOST, HOME = "node1", "/home/ada"

# Not run here: ./bootstrap installs packages and builds, and CI runs `./bootstrap test` itself; mpiP is no Debian package.
NOT_RUN = ("./bootstrap", "mpirun -n 4 -x LD_PRELOAD=/path/to/libmpiP.so")

# Exit status 1 is an answer: the times that are compared are not within the tolerance; the machine is too busy to be measured.
FOUND_OUT = (
    "reprise platform calibrate --probe",
    "reprise platform calibrate probe.json",
    "reprise validate app.reprise --mpip app.4.1234.1.mpiP -p mine.json",
    "reprise trace diff",
)

GRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="grid" routing="Full">
    <cluster id="east" prefix="e" suffix="" radical="0-63" speed="1Gf" bw="1GBps" lat="5us" router_id="east_router"/>
    <cluster id="west" prefix="w" suffix="" radical="0-63" speed="1Gf" bw="1GBps" lat="5us" router_id="west_router"/>
    <link id="between" bandwidth="10GBps" latency="1ms"/>
    <zoneRoute src="east" dst="west" gw_src="east_router" gw_dst="west_router"><link_ctn id="between"/></zoneRoute>
  </zone>
</platform>
"""
OSU = "# OSU MPI Latency Test v5.9\\n# Size          Latency (us)\\n0 1.10\\n1 1.12\\n1024 2.00\\n65536 14.00\\n1048576 95.00\\n4194304 360.00\\n"
BIBW = "# OSU MPI Bi-Directional Bandwidth Test v5.9\\n# Size      Bandwidth (MB/s)\\n1024 900.00\\n1048576 21000.00\\n4194304 23000.00\\n"
# What the probe of a cluster has and that of one machine has not: times between two nodes.
CLUSTER_PROBE = """python3 - <<'END'
import json
probe = json.load(open("probe.json"))
probe["nodes"] = 2
for rows in (probe["series"], probe["eager_limits"]):
    rows += [{**row, "path": "inter_node"} for row in rows if row["path"] == "intra_node"]
json.dump(probe, open("probe.json", "w"))
END
"""
# By how the command begins: what a reader has there already.
PREPARED = {
    "reprise platform calibrate probe.json": CLUSTER_PROBE,
    "reprise platform calibrate --osu": f"printf '{OSU}' > osu_latency.txt; printf '{BIBW}' > osu_bibw.txt",
    "reprise record -o app.reprise": "cp $(command -v heat2d) app; touch input.dat",
    "mpirun -n 64 reprise record": "rm -f app.reprise",
    "reprise validate app.reprise --mpip app.4.1234.1.mpiP": "reprise export app.reprise --format mpip -o app.4.1234.1.mpiP; "
    "test -e mine.json || reprise platform calibrate --osu osu_latency.txt --base infiniband-hdr --between-nodes -o mine.json",
    "reprise replay small.reprise -p mine.json": "test -e mine.json || "
    "reprise platform calibrate --osu osu_latency.txt --base infiniband-hdr --between-nodes -o mine.json",
    "reprise trace diff": "cp app.reprise monday.reprise; cp app.reprise tuesday.reprise",
    "reprise export app.reprise": "rm -rf app.mpiP app.otf2 ti",
    "reprise import traces.otf2": "reprise export app.reprise --format otf2 -o archive > out; cp -r archive/. .; rm app.reprise",
    "reprise replay app.reprise --platform grid.xml": f"cat > grid.xml <<'END'\n{GRID}END\n",
    "reprise import ti/ti.txt": "rm app.reprise",
}

MAY_LACK = re.compile(r"note:|warning:|left out|preempted|lost|host|(not )?fast-forwarded|…")


def commands_in(lines):
    """(number of the line, command, shown output or None) of README's, in its order."""
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            starts = [i for i in range(at + 1, end) if lines[i].startswith("$ ")]
            for start, stop in zip(starts, starts[1:] + [end]):
                yield start, lines[start][2:], lines[start + 1 : stop]
            at = end
        elif re.match(r"    (reprise|mpirun|mpicc|cd|export|\./)", lines[at]):
            yield at, lines[at][4:], None
        at += 1


def no_commands(lines):
    """Indented lines of README's that commands_in() takes for none, and that nothing would run."""
    known, is_output = {at for at, _, _ in commands_in(lines)}, False
    for at, line in enumerate(lines):
        is_output ^= line.startswith("```")
        if line.startswith("    ") and not is_output and at not in known:
            yield f"README.md:{at + 1}: is no command that this test knows: {line.strip()}"


def shape(line):
    line = re.sub(r"(?<!\w)(/[\w.+-]+)+", "PATH", line)
    line = re.sub(r"[-+]?\b\d[\d \u202f]*(\.\d+)?(e[-+]?\d+)?", "# ", line)
    return " ".join(line.split())


def shapes(lines):
    made = dict((shape(line), line) for line in lines if line.strip())
    return {one: line for one, line in made.items() if not MAY_LACK.match(one)}


# What they print beside the shown lines depends on the machine that recorded.
OF_A_RECORDING = ("reprise record", "reprise trace info")


def differences(command, shown, printed):
    want, have = shapes(shown), shapes(printed)
    yield from ("README.md shows, and it is not printed: " + line for one, line in want.items() if one not in have)
    if not command.startswith(OF_A_RECORDING) and "…" not in (line.strip() for line in shown):
        yield from ("is printed, and README.md lacks it: " + line for one, line in have.items() if one not in want)


def as_shown(printed, shown, homes):
    """What README.md shows of it: in a reader's home, and cut at "…" where it is cut now."""
    text = [line.replace(socket.gethostname(), HOST) for line in printed]
    for home in homes:
        text = [line.replace(home, HOME) for line in text]
    known = {shape(line) for line in shown}
    text = [line for line in text if shape(line) in known or not MAY_LACK.match(shape(line))]
    while text and not text[-1].strip():
        text.pop()
    blank = len(shown) - len("\n".join(shown).rstrip().split("\n"))  # lines between this output and the next command
    shown = shown[: len(shown) - blank]
    cut = [i for i, line in enumerate(shown) if line.strip() == "…"]
    for i in cut:  # as many lines before it as now, and as many behind it
        text = text[:i] + [shown[i]] + text[len(text) - (len(shown) - i - 1) :]
    return text + [""] * blank


def environment(bin_folder, home):
    env = dict(os.environ, HOME=str(home), PATH=f"{bin_folder}:{os.environ['PATH']}", NO_COLOR="1")
    for key in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"):
        env[key] = "1"
    return env


def main():
    bin_folder, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    updates = "--update" in sys.argv[3:]
    readme = root / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines()
    problems, replaced, ran = list(no_commands(lines)), [], 0
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder).resolve()
        shutil.copytree(root / "scenarios", home / "scenarios")
        shutil.copy(bin_folder / "heat2d", home / "heat2d")
        env, here, before = environment(bin_folder, home), home, 0
        for at, command, shown in commands_in(lines):
            here, before = here if at == before + 1 else home, at  # a new block begins in the clone
            if command.startswith(NOT_RUN) or command.startswith("export PATH"):
                continue
            place = f"README.md:{at + 1}: {command}"
            for start, preparation in PREPARED.items():
                if command.startswith(start):
                    subprocess.run(["bash", "-ec", preparation], cwd=here, env=env, check=True)
            if command.startswith("cd "):
                here = here / command.split()[1]
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=here, env=env, capture_output=True, text=True, timeout=300, check=False
            )
            ran += 1
            allowed = (0, 1) if command.startswith(FOUND_OUT) else (0,)
            if done.returncode not in allowed:
                problems.append(f"{place}\n  exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
                continue
            if shown is None:
                continue
            printed = (done.stdout + done.stderr).splitlines()
            if updates:
                replaced.append((at + 1, len(shown), as_shown(printed, shown, (str(home), str(bin_folder)))))
            problems += [f"{place}\n  {one}" for one in differences(command, shown, printed)]
    if ran < 30:
        problems.append(f"README.md: only {ran} commands were found")
    if updates:
        for at, count, text in reversed(replaced):
            lines[at : at + count] = text
        readme.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{ran} commands ran, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
