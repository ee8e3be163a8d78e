#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A real MPI program the whole way: recorded by `reprise record`, checked, counted, replayed on two machines.

usage: run.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM             a program that ends well
       run.py --bin FOLDER --launcher MPIRUN --ranks N --ends HOW PROGRAM  one that does not: abort exit killed segv terminated;
                                                                           killed_at_once killed_before_init;
                                                                           or whose recording does not: little_memory unwritable
                                                                           folder_removed not_loaded; or set up by variables: variables;
                                                                           or that does what no replay can: unlike

Of a program that ends well: its output and exit status are those of a run without the recorder; `trace check` finds nothing wrong;
on 4 ranks the calls (and bytes) per procedure are those of calls_of_4_ranks.json (they equal mpiP's where mpiP counts) with the
losses named there; both replays play as many operations as the trace holds,
and lose nothing where the recording lost nothing.
Of one that does not: the exit status is the same, nothing hangs, and what was recorded of all ranks can be salvaged, is marked incomplete
and replays, cut back to where the ranks come together.
With little memory the program does not notice, every call is either in the trace or counted as a loss, and a replay names it. Where
the trace cannot be written the program does not notice either, and one line tells; with `reprise record` a second one, and the exit status is the program's. Of a rank killed at once MPI_Init is left; where one never
comes to MPI_Init there are no recordings, and a line says so. Of a program that does what no replay can (calls that fail, processes that
are spawned) the trace is readable, what is lost is named in it, and a replay ends with an answer or an error. Where a rank has not loaded the recorder the program goes on without. Variables that make sense show in the trace, each that does not is named in one line.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLATFORMS = ("ethernet-10g", "infiniband-edr")
failures = []


def expect(fact, what):
    if not fact:
        failures.append(what)


def run(command, folder, **more):
    return subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=120, **more
    )


def answer(command, folder):
    done = run(command, folder)
    expect(done.returncode == 0, f"{' '.join(map(str, command[1:]))}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def record(options, folder, arguments):
    launch = [options.launcher, "-n", options.ranks, options.program, *arguments]
    bare = run(launch, folder)
    recorded = run([options.reprise, "record", "--clock", "cpu", "-o", "run.reprise", "--", *launch], folder)
    expect(
        recorded.returncode == bare.returncode, f"exit {recorded.returncode}, without the recorder {bare.returncode}"
    )
    expect(
        sorted(recorded.stdout.splitlines()) == sorted(bare.stdout.splitlines()),
        f"printed {recorded.stdout!r}, without the recorder {bare.stdout!r}",
    )
    return recorded


def ends_well(options, folder):
    recorded = record(options, folder, [])
    expect(recorded.returncode == 0, f"exit {recorded.returncode}: {recorded.stderr}")
    well = f"{options.program.stem}: ok\n"
    expect(recorded.stdout == well, f"printed {recorded.stdout!r}, not {well!r}")
    info = answer([options.reprise, "trace", "info", "run.reprise", "--format", "json"], folder)
    finalized = info.get("procedures", {}).get("MPI_Finalize")
    expect(finalized == options.ranks, f"{finalized} calls of MPI_Finalize on {options.ranks} ranks")
    told = json.loads((HERE / "calls_of_4_ranks.json").read_text(encoding="utf-8")).get(options.program.stem)
    losses = [loss["name"] for loss in info.get("losses", [])]
    if told and options.ranks == 4:
        expect(info["procedures"] == told["calls"], f"calls {info['procedures']}, not {told['calls']}")
        expect(losses == told["losses"], f"losses {losses}, not {told['losses']}")
        if "bytes" in told:
            expect(info["bytes"] == told["bytes"], f"bytes {info['bytes']}, not {told['bytes']}")
    # What the recorder took for calls is told of all of them but MPI_Init; failed polls are not appended one by one.
    polls = any(name.startswith("MPI_Test") or name.endswith("probe") for name in info["procedures"])
    folded = info["times_apart"]["folding"]["count"]
    if not losses and not polls:
        begun = info["operations"] - options.ranks
        expect(folded == begun, f"the recorder's own time is that of {folded} calls, not of {begun}")
    findings = json.loads(run([options.reprise, "trace", "check", "run.reprise", "--format", "json"], folder).stdout)[
        "findings"
    ]
    for finding in findings:
        is_loss = finding["where"] == "recorder" and any(finding["problem"].startswith(name) for name in losses)
        expect(is_loss or finding["severity"] == "notice", f"trace check: {finding}")
    for platform in PLATFORMS:
        outcome = answer([options.reprise, "replay", "run.reprise", "--platform", platform, "--format", "json"], folder)
        expect(
            outcome.get("operations") == info.get("operations"),
            f"{platform}: replayed {outcome.get('operations')} "
            f"operations, the trace holds {info.get('operations')}",
        )
        expect(
            losses or not outcome.get("losses"),
            f"{platform}: the replay lost {outcome.get('losses')}, the recording nothing",
        )
        expect(outcome.get("predicted_time_s", 0) > 0, f"{platform}: no time predicted")


def is_unlike_a_replay(options, folder):
    record(options, folder, [])
    info = answer([options.reprise, "trace", "info", "run.reprise", "--format", "json"], folder)
    expect(info.get("losses"), f"nothing is named as lost: {info}")
    for platform in PLATFORMS:
        replay = run([options.reprise, "replay", "run.reprise", "--platform", platform], folder)
        named = replay.returncode == 1 and replay.stderr.startswith("reprise: error: ")
        expect(replay.returncode == 0 or named, f"{platform}: exit {replay.returncode}: {replay.stderr}")


def ends_badly(options, folder):
    recorded = record(options, folder, [options.ends])
    expect(recorded.returncode != 0, "the program was to fail")
    expect("trace salvage" in recorded.stderr, f"stderr does not tell how to salvage: {recorded.stderr}")
    done = run([options.reprise, "trace", "salvage", "run.reprise.parts", "-o", "salvaged.reprise"], folder)
    expect(done.returncode == 0, f"trace salvage: exit {done.returncode}: {done.stderr}")
    info = answer([options.reprise, "trace", "info", "salvaged.reprise", "--format", "json"], folder)
    expect(info.get("complete") is False, "a salvaged trace is marked as incomplete")
    left = options.ranks
    expect(
        info.get("recorded_ranks") == left,
        f"{info.get('recorded_ranks')} of {options.ranks} ranks salvaged, not {left}",
    )
    whole = run([options.reprise, "trace", "salvage", "run.reprise.parts", "--whole", "-o", "whole.reprise"], folder)
    expect(whole.returncode == 0, f"trace salvage --whole: exit {whole.returncode}: {whole.stderr}")
    all_saved = answer([options.reprise, "trace", "info", "whole.reprise", "--format", "json"], folder)
    expect(all_saved.get("operations", 0) > all_saved.get("ranks", 0), "a salvaged trace holds calls")
    expect(info.get("operations", 0) <= all_saved.get("operations", 0), "cut back is not more")
    text = run([options.reprise, "trace", "info", "salvaged.reprise"], folder).stdout
    expect(
        f"salvaged from ranks 0-{left - 1}, the end of the run may be missing" in text,
        f"info does not tell whose: {text}",
    )
    outcome = run([options.reprise, "replay", "salvaged.reprise", "--platform", PLATFORMS[0]], folder)
    expect(outcome.returncode == 0, f"replay: {outcome.returncode} {outcome.stderr}")


def runs_out_of_memory(options, folder):
    whole = answer_of_recording(options, folder, "whole.reprise")
    os.environ["REPRISE_MEMORY"] = "128 KiB"
    part = answer_of_recording(options, folder, "part.reprise")
    lost = {loss["name"]: loss["count"] for loss in part.get("losses", [])}
    expect(whole.get("complete") is True and whole.get("losses") == [], f"without a limit: {whole.get('losses')}")
    expect(part.get("complete") is False, "a trace that lacks calls is marked as incomplete")
    expect(
        set(lost) == {"calls beyond the REPRISE_MEMORY limit", "timing detail dropped at the REPRISE_MEMORY limit"},
        f"losses {lost}",
    )
    kept, made = (sum(info["procedures"].values()) for info in (part, whole))
    expect(
        kept + lost.get("calls beyond the REPRISE_MEMORY limit", 0) == made,
        f"{kept} calls kept, {lost} lost, {made} made",
    )
    expect(kept > made / 20, f"only {kept} of {made} calls kept")
    replay = run([options.reprise, "replay", "part.reprise", "--platform", PLATFORMS[0]], folder)
    expect(
        "REPRISE_MEMORY" in replay.stdout or replay.returncode == 1, f"a replay of a part says nothing: {replay.stdout}"
    )


def answer_of_recording(options, folder, trace):
    launch = [options.launcher, "-n", options.ranks, options.program]
    done = run([options.reprise, "record", "--clock", "cpu", "-o", trace, "--", *launch], folder)
    expect("ok" in done.stdout, f"{trace}: printed {done.stdout!r} {done.stderr}")
    return answer([options.reprise, "trace", "info", trace, "--format", "json"], folder)


def cannot_be_written(options, folder):
    target = pathlib.Path(folder) / "not there" / "run.reprise"
    launch = [options.launcher, "-n", options.ranks, options.program]
    bare = run(launch, folder)
    library = options.bin.resolve().parent / "lib/libreprise-recorder.so"
    variables = ["env", f"LD_PRELOAD={library}", f"REPRISE_OUTPUT={target}"]
    recorded = run([*launch[:3], *variables, *launch[3:]], folder)
    expect(
        (recorded.returncode, recorded.stdout) == (bare.returncode, bare.stdout),
        f"{recorded.returncode}, {recorded.stdout!r}",
    )
    expect(
        recorded.stderr.count("reprise: error: ") == 1 and "this run has no trace" in recorded.stderr,
        f"stderr {recorded.stderr!r}",
    )


def loses_its_folder(options, folder):
    out = pathlib.Path(folder).resolve() / "out"
    out.mkdir()
    launch = [options.launcher, "-n", options.ranks]
    bare = run([*launch, options.program], folder)
    removes = ["sh", "-c", 'rm -rf out; exec "$0"', options.program]
    recorded = run([options.reprise, "record", "-o", "out/run.reprise", "--", *launch, *removes], folder)
    expect((recorded.returncode, recorded.stdout) == (0, bare.stdout), f"{recorded.returncode}, {recorded.stdout!r}")
    wanted = (
        f"reprise: error: {out}/run.reprise: cannot create a file beside it: No such file or directory\n"
        "  choose another place with -o\n"
        "  this run has no trace\n"
        f"reprise: no trace was written: the folder {out} was removed during the run\n"
        "  choose a folder that stays, with -o\n"
    )
    expect(recorded.stderr == wanted, f"stderr {recorded.stderr!r}")


def is_recorded_behind_its_launcher(options, folder):
    words = [options.reprise, "record", "-o", "run.reprise", "--", options.program]
    done = run([options.launcher, "-n", options.ranks, *words], folder)
    lines = [line for line in done.stderr.splitlines() if "recorded" in line]
    expect(
        len(lines) == 1 and lines[0].startswith(f"reprise: recorded {options.ranks} ranks in "),
        f"stderr {done.stderr!r}",
    )
    expect((pathlib.Path(folder) / "run.reprise").is_file(), "there is no trace")


def never_begins(options, folder):
    recorded = record(options, folder, [options.ends])
    expect(
        f"reprise: no trace was written: the program ended with status {recorded.returncode} before any rank was through "
        "MPI_Init with the recorder loaded\n" in recorded.stderr,
        f"stderr {recorded.stderr!r}",
    )
    expect(recorded.returncode != 0, "the program was to fail")


def with_variables(options, folder, variables, ranks_without=0):
    library = options.bin.resolve().parent / "lib/libreprise-recorder.so"
    words = ["env", f"LD_PRELOAD={library}", *(f"{name}={value}" for name, value in variables.items())]
    launch = [options.launcher, "-n", options.ranks - ranks_without, *words, options.program]
    return run([*launch, *([":", "-n", ranks_without, options.program] if ranks_without else [])], folder)


def is_not_loaded_everywhere(options, folder):
    done = with_variables(options, folder, {"REPRISE_OUTPUT": "run.reprise", "REPRISE_WAIT": "1"}, ranks_without=1)
    expect((done.returncode, done.stdout.count("ok")) == (0, 1), f"exit {done.returncode}, printed {done.stdout!r}")
    line = (
        "reprise: error: some ranks have not loaded the recorder within 1 s (REPRISE_WAIT), nothing is recorded\n"
        "  preload it on every rank, from a path that exists on every node\n"
    )
    expect(done.stderr.count(line) == options.ranks - 1, f"stderr {done.stderr!r}")
    expect(not list(pathlib.Path(folder).iterdir()), f"left behind: {list(pathlib.Path(folder).iterdir())}")


# Another tool that wraps MPI (blocking_module.c): the name of its library, how the program ended with both preloaded, and what the tool counted.
def with_tool(options, folder, preloaded):
    suffix = "-mpich" if "mpich" in options.launcher else ""
    recorder = options.bin.resolve().parent / f"lib/libreprise-recorder{suffix}.so"
    tool = options.program.with_name(options.program.name + ".module.so")
    libraries = ":".join(str({"recorder": recorder, "tool": tool}[name]) for name in preloaded)
    variables = ["env", f"LD_PRELOAD={libraries}", "REPRISE_OUTPUT=run.reprise"]
    done = run([options.launcher, "-n", options.ranks, *variables, options.program], folder)
    bare = run([options.launcher, "-n", options.ranks, options.program], folder)
    expect(
        (done.returncode, done.stdout) == (0, bare.stdout), f"exit {done.returncode}, {done.stdout!r}: {done.stderr}"
    )
    counted = [int(line.split()[2]) for line in done.stderr.splitlines() if line.startswith("other tool: ")]
    expect(len(counted) == 1 and counted[0] > 0, f"stderr {done.stderr!r}")
    return tool, done, counted[0]


def goes_on_to_a_tool(options, folder):
    tool, done, sends = with_tool(options, folder, ["recorder", "tool"])
    line = f"reprise: warning: {tool} also wraps MPI: calls are passed on to it, and its own time is recorded as MPI time\n"
    expect(done.stderr.count(line) == 1, f"stderr {done.stderr!r}")
    info = answer([options.reprise, "trace", "info", "run.reprise", "--format", "json"], folder)
    expect(info["procedures"]["MPI_Send"] == sends, f"{info['procedures']}, the tool saw {sends} sends")


def sees_nothing_behind_a_tool(options, folder):
    tool, done, _ = with_tool(options, folder, ["tool", "recorder"])
    line = (
        f"reprise: warning: nothing is recorded: {tool} intercepts the program's MPI calls before the recorder\n"
        "  preload the recorder before it\n"
    )
    expect(done.stderr.count(line) == 1, f"stderr {done.stderr!r}")
    expect(not list(pathlib.Path(folder).iterdir()), f"left behind: {list(pathlib.Path(folder).iterdir())}")


def obeys_variables(options, folder):
    good = {
        "OUTPUT": "good.reprise",
        "TIMING": "histogram",
        "BINS": "7",
        "HISTOGRAM": "balanced",
        "CLOCK": "cpu",
        "VERBOSE": "1",
    }
    done = with_variables(options, folder, {f"REPRISE_{name}": value for name, value in good.items()})
    lines = done.stderr.splitlines()
    place = pathlib.Path(folder).resolve() / "good.reprise"
    expect(
        len(lines) == 1 and lines[0].startswith(f"reprise: trace in {place} ({options.ranks} ranks merged in "),
        f"stderr {lines}",
    )
    info = answer([options.reprise, "trace", "info", "good.reprise", "--format", "json"], folder)
    told = [info.get(key) for key in ("timing", "bins", "histogram", "clock")]
    expect(told == ["histogram", 7, "balanced", "cpu"], f"the trace says {told}")
    bad = {
        "OUTPUT": "bad.reprise",
        "TIMING": "often",
        "BINS": "1",
        "HISTOGRAM": "Ward",
        "CLOCK": "sun",
        "CALLPATH": "half",
        "DEPTH": "0",
        "SNAPSHOT": "soon",
        "WAIT": "-1",
        "MEMORY": "1 KiB",
        "OUTPTU": "x",
        "ZZ": "",
    }
    done = with_variables(options, folder, {f"REPRISE_{name}": value for name, value in bad.items()})
    wanted = [
        f'reprise: warning: REPRISE_{name}: "{bad[name]}" is not {what}, the default is used'
        for name, what in (
            ("TIMING", "path, histogram or stat"),
            ("CLOCK", "wall or cpu"),
            ("HISTOGRAM", "ward, balanced or balanced_exact"),
            ("CALLPATH", "auto, full or flat"),
            ("BINS", "a whole number from 2 to 1000"),
            ("DEPTH", "a whole number from 1 to 64"),
            ("SNAPSHOT", "a number of seconds"),
            ("WAIT", "a number of seconds"),
            ("MEMORY", "an amount of memory of at least 64 KiB, such as 64 MiB"),
        )
    ]
    wanted += [
        "reprise: warning: REPRISE_OUTPTU: the recorder has no such variable, did you mean REPRISE_OUTPUT?",
        "reprise: warning: REPRISE_ZZ: the recorder has no such variable",
    ]
    expect(sorted(done.stderr.splitlines()) == sorted(wanted), f"stderr {done.stderr}")
    info = answer([options.reprise, "trace", "info", "bad.reprise", "--format", "json"], folder)
    told = [info.get(key) for key in ("timing", "bins", "histogram", "clock")]
    expect(told == ["path", 5, "ward", "wall"], f"with variables that make no sense the trace says {told}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--ends")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    options.reprise = options.bin.resolve() / "reprise"
    options.program = options.program.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    # Debian's Open MPI 4.1.4 crashes in osc/rdma's accumulates between ranks of one node, with the recorder and without
    os.environ.setdefault("OMPI_MCA_osc", "^rdma")
    # MPICH's transport complains on stdout, with the time of day, where there is no /sys (a bare chroot)
    os.environ.update(UCX_LOG_LEVEL="fatal")
    with tempfile.TemporaryDirectory() as folder:
        endings = {
            None: ends_well,
            "little_memory": runs_out_of_memory,
            "unwritable": cannot_be_written,
            "folder_removed": loses_its_folder,
            "behind_launcher": is_recorded_behind_its_launcher,
            "tool_behind": goes_on_to_a_tool,
            "tool_in_front": sees_nothing_behind_a_tool,
            "killed_before_init": never_begins,
            "not_loaded": is_not_loaded_everywhere,
            "variables": obeys_variables,
            "unlike": is_unlike_a_replay,
        }
        endings.get(options.ends, ends_badly)(options, folder)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
