# SPDX-License-Identifier: MIT
"""An installed tree in use, as somebody who has it and nothing of the source tree would."""
import json
import os
import pathlib
import re
import subprocess

LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)")
UNSET = ("REPRISE_", "OMPI_", "PMIX_", "LD_PRELOAD", "LD_LIBRARY_PATH")


def environment(prefix):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
    mpi = {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    return kept | mpi | {"PATH": f"{prefix}/bin:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def run(prefix, folder, *command):
    """Its stdout; ends the test where it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment(prefix), capture_output=True, encoding="utf-8", timeout=300
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def record_and_replay(prefix, folder, mpicc):
    """A program of an installed scenario is compiled, recorded and replayed; a study is simulated with its answer read in Python."""
    scenarios = prefix / "share/reprise/scenarios"
    run(prefix, folder, mpicc, "-O2", "-o", "heat2d", scenarios / "heat2d/heat2d.c", "-lm")
    launcher = mpicc.replace("mpicc", "mpirun")
    run(prefix, folder, "reprise", "record", "-o", "heat2d.reprise", "--", launcher, "-n", "2", "./heat2d", "5", "64")
    assert (
        json.loads(run(prefix, folder, "reprise", "trace", "info", "heat2d.reprise", "--format", "json"))["ranks"] == 2
    )
    answer = run(prefix, folder, "reprise", "replay", "heat2d.reprise", "-p", "ethernet-10g", "--format", "json")
    assert json.loads(answer)["predicted_time_s"] > 0
    # SimGrid is loaded from the tree, too
    run(prefix, folder, "reprise", "replay", "heat2d.reprise", "-p", "ethernet-10g", "--network", "simgrid")
    run(prefix, folder, "cp", scenarios / "procurement/procurement.json", "study.json")
    run(prefix, folder, "reprise", "study", "study.json", "-j", "1")


def read_in_python(prefix, folder):
    """The installed module, and the worked script, with the study's results."""
    module = prefix / "share/reprise/python"
    script = prefix / "share/reprise/scenarios/network-upgrade/explore.py"
    text = run(
        prefix,
        folder,
        "env",
        f"PYTHONPATH={module}",
        "PYTHONDONTWRITEBYTECODE=1",
        "python3",
        script,
        "study.results/results.json",
    )
    assert "tables: " in text, text


def dead_links(prefix):
    """Relative links of installed documents, and schemas of installed JSON, that lead nowhere."""
    for document in sorted((prefix / "share").rglob("*.md")):
        for target in LINK.findall(document.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            # as a browser goes, which does not know what is a symbolic link, and as the system does
            lexical = pathlib.Path(os.path.normpath(document.parent / target))
            if not lexical.exists() or not (document.parent / target).exists():
                yield f"{document.relative_to(prefix)}: {target}"
    for file in sorted((prefix / "share/reprise").rglob("*.json")):
        schema = json.loads(file.read_text(encoding="utf-8")).get("$schema", "")
        if schema and not re.match(r"[a-z]+:", schema) and not (file.parent / schema).exists():
            yield f"{file.relative_to(prefix)}: {schema}"


def missing_files(prefix, libraries, has_recorder):
    expected = [
        "bin/reprise",
        "share/man/man1/reprise.1",
        "share/doc/reprise/README.md",
        "share/doc/reprise/LICENSE",
        "share/doc/reprise/docs/JSON.md",
        "share/doc/reprise/docs/accuracy.svg",
        "share/doc/reprise/trace-io/FORMAT.md",
        "share/doc/reprise/scenarios/heat2d/README.md",
        "share/reprise/study.schema.json",
        "share/reprise/scenario.schema.json",
        "share/reprise/platform.schema.json",
        "share/reprise/machines/ethernet-10g.json",
        "share/reprise/scenarios/heat2d/heat2d.c",
        "share/reprise/scenarios/basket/middle.json",
        "share/reprise/python/reprise/__init__.py",
        "share/bash-completion/completions/reprise",
        "share/zsh/site-functions/_reprise",
        f"{libraries}/pkgconfig/reprise.pc",
        f"{libraries}/reprise-simgrid.so",
        "libexec/reprise/reprise-simgrid-routes",
    ]
    if has_recorder:
        expected += ["bin/reprise-live", "bin/reprise-probe", f"{libraries}/libreprise-recorder.so"]
    return [name for name in expected if not (prefix / name).is_file()]


def check_module_and_pc(prefix, libraries):
    """What they name is there, from wherever the tree stands."""
    variables = dict(os.environ, PKG_CONFIG_PATH=str(prefix / libraries / "pkgconfig"))
    for name in ("bindir", "datadir", "machines", "scenarios"):
        place = subprocess.run(
            ["pkg-config", f"--variable={name}", "reprise"],
            env=variables,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout.strip()
        assert pathlib.Path(place).is_dir(), f"reprise.pc: {name} is {place}"
    modules = list((prefix / "share/modulefiles/reprise").iterdir())
    assert len(modules) == 1, modules
    text = modules[0].read_text(encoding="utf-8")
    up = re.search(r"ModulesCurrentModulefile\]/(\S+)\]", text).group(1)
    root = pathlib.Path(os.path.normpath(modules[0].parent / up))
    assert root == prefix, f"the module file's prefix is {root}"
    places = re.findall(r"^prepend-path \S+ +\$prefix/(\S+)$", text, re.MULTILINE)
    assert len(places) >= 4, text
    for place in places:
        assert (prefix / place).is_dir(), f"the module file names {place}"


def check(prefix, libraries, folder, mpicc):
    missing = missing_files(prefix, libraries, mpicc is not None)
    assert not missing, "not installed: " + ", ".join(missing)
    dead = list(dead_links(prefix))
    assert not dead, "lead nowhere:\n" + "\n".join(dead)
    check_module_and_pc(prefix, libraries)
    if mpicc:
        record_and_replay(prefix, folder, mpicc)
        read_in_python(prefix, folder)
