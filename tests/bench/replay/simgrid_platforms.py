#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes SimGrid platform files through `platform show`, a replay, and `smpirun -replay` beside it.

usage: simgrid_platforms.py --reprise BIN/reprise [--bytes 256] [--steps 20] [--smpi] FILE.xml…

Each file: does it load, and does a halo of 4 ranks on four hosts of it replay, one rank on each, spread over the file's hosts (first, last
and two between)? If not, the first line of why. With --smpi the same trace, exported as time-independent traces, under smpirun on the same
file, hosts and settings (against_smpi.py says which and why). The last column is ours with SimGrid's own solver (--network simgrid).
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import against_smpi

RANKS = 4
# SMPI's own model and weights, which the files are read with here, too, without its corrections for TCP. All flows are solved at every change:
# lazy updates leave some out (docs/MODEL.md, Shares by latency). But where routes have no links, full updates are wrong: a message on such a
# route has no bytes left from its first update on, and a receive that is posted while it is on its way takes it as if it had come
# (NetworkCm02Model::update_actions_state_full, CommImpl::irecv).
SETTINGS = {
    "network/model": "SMPI",
    "smpi/lat-factor": "0:1",
    "smpi/bw-factor": "0:1",
    "network/optim": "Full",
    "network/maxmin-selective-update": "no",
}
LAZY = {"network/optim": "Lazy", "network/maxmin-selective-update": "yes"}
OTHERS = ("network/latency-factor", "network/bandwidth-factor", "network/TCP-gamma", "network/weight-S")


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0] if lines else ""


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", timeout=300)


def spread(hosts):
    """As many of them as there are ranks, from the first to the last; some twice where there are fewer."""
    return [hosts[rank * (len(hosts) - 1) // (RANKS - 1)] for rank in range(RANKS)]


def hosts_of(xml, reprise):
    """Names in the file's order, from reprise-simgrid-routes; those of one cluster from its attributes."""
    program = pathlib.Path(reprise).with_name("reprise-simgrid-routes")
    with open(xml, "rb") as text:
        done = subprocess.run(
            ["bash", "-c", '"$0" "$1" 3<&0 </dev/null', program, xml.parent],
            stdin=text,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
    return [line.split("\t")[-1] for line in done.stdout.splitlines() if line.startswith("host\t")]


def ours(reprise, trace, xml, placement, *more):
    done = run(
        reprise,
        "replay",
        "--no-fast-forward",
        trace,
        "--platform",
        xml,
        "--placement",
        placement,
        "--set",
        '/mpi/collectives/selection="simple"',
        "--format",
        "json",
        *more,
    )
    if done.returncode != 0:
        return None, first_line(done.stderr)
    return json.loads(done.stdout)["predicted_time_s"], ""


def has_routes_without_links(xml):
    text = xml.read_text(encoding="utf-8", errors="replace")
    return 'routing="Vivaldi"' in text and "<peer" not in text


def theirs(index, xml, hosts):
    settings = {name: value for name, value in against_smpi.SETTINGS.items() if name not in OTHERS} | SETTINGS
    if has_routes_without_links(xml):
        settings |= LAZY
    text = xml.read_text(encoding="utf-8", errors="replace")
    for name in ("smpi/lat-factor", "smpi/bw-factor"):  # where the file has them, they hold on both sides
        if f'id="{name}"' in text:
            del settings[name]
    settings = [f"--cfg={name}:{value}" for name, value in settings.items()]
    done = run(
        "smpirun",
        "-np",
        RANKS,
        "-platform",
        xml,
        "-hostfile",
        hosts,
        "-no-privatize",
        "-replay",
        index,
        *settings,
        "--log=root.thresh:critical",
        "--log=smpi_replay.thresh:info",
    )
    found = re.search(r"Simulation time (\S+)", done.stdout + done.stderr)
    return (float(found.group(1)), "") if found else (None, first_line(done.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reprise", required=True)
    parser.add_argument("--bytes", default="256")
    parser.add_argument("--steps", default="20")
    parser.add_argument("--smpi", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    reprise = str(pathlib.Path(options.reprise).resolve())
    print("| file | hosts | shows | replay s | SMPI s | difference | --network simgrid |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text, trace = folder / "halo.txt", folder / "halo.reprise"
        made = run(
            sys.executable,
            against_smpi.HERE / "patterns.py",
            "halo",
            RANKS,
            options.steps,
            "--bytes",
            options.bytes,
            "--compute-us",
            "0",  # SMPI's would depend on the speed of each file's hosts
        )
        text.write_text(made.stdout)
        run(reprise, "trace", "assemble", text, "-o", trace)
        run(reprise, "export", trace, "-o", folder / "ti")
        for file in options.files:
            xml = pathlib.Path(file).resolve()
            shown = run(reprise, "platform", "show", xml)
            hosts = hosts_of(xml, reprise)
            show = "yes" if shown.returncode == 0 else first_line(shown.stderr).replace(str(xml.parent) + "/", "")
            cells = [xml.name, str(len(hosts)), show]
            if hosts:
                chosen, placement = folder / "hosts", folder / "placement"
                chosen.write_text("".join(host + "\n" for host in spread(hosts)))
                placement.write_text(chosen.read_text())
                time, why = ours(reprise, trace, xml, placement)
                cells.append(f"{time:.6f}" if time is not None else why.replace(str(xml.parent) + "/", ""))
                if options.smpi and time is not None:
                    other, why = theirs(folder / "ti" / "ti.txt", xml, chosen)
                    cells += [f"{other:.6f}", f"{100 * (time / other - 1):+.3f} %"] if other else [why, ""]
                    again, why = ours(reprise, trace, xml, placement, "--network", "simgrid")
                    cells.append(f"{100 * (again / time - 1):+.1e} %" if again is not None else why)
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
