#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SimGrid is in a module that is loaded when it is asked for, found beside the program wherever both are moved.

usage: simgrid_module.py REPRISE MODULE LIBRARIES_FROM_BIN

Without the module every network but simgrid works, and that one says where the module should be; a damaged one is not loaded; with
it, in the installed layout, the replay is the one of the build tree.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

TRACE = """reprise-text 1
ranks 2
program "two"
timing histogram
bins 5
thread 0 {
ranks 0: MPI_Send peer=1 tag=1 bytes=1kB
ranks 1: MPI_Recv peer=0 tag=1 bytes=1kB
}
"""
REMEDY = "  install it beside reprise (cmake --install), or take --network flow, which is the same model\n"


def replay(reprise, trace, network):
    command = [reprise, "replay", trace, "-p", "fat-tree-32", "--network", network, "--format", "json"]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    built, module, libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        (root / "prefix/bin").mkdir(parents=True)
        moved = root / "prefix/bin/reprise"
        shutil.copy2(built, moved)
        text, trace = root / "two.txt", root / "two.reprise"
        text.write_text(TRACE)
        subprocess.run([built, "trace", "assemble", text, "-o", trace], check=True)

        done = replay(moved, trace, "flow")
        assert done.returncode == 0, done.stderr
        folder = (moved.parent / libraries).resolve()
        places = dict.fromkeys((str(folder), str(root / "prefix/lib")))
        expected = (
            f"reprise: error: the simgrid network: its module {module.name} is not in {' or '.join(places)}\n{REMEDY}"
        )
        done = replay(moved, trace, "simgrid")
        assert (done.returncode, done.stderr) == (2, expected), (done.returncode, done.stderr, expected)

        folder.mkdir(parents=True)
        (folder / module.name).write_text("no library\n")
        done = replay(moved, trace, "simgrid")
        assert done.returncode == 2, done.returncode
        expected = f"reprise: error: the simgrid network: cannot load its module: {folder / module.name}: file too short\n{REMEDY}"
        assert done.stderr == expected, (done.stderr, expected)

        shutil.copy2(module, folder / module.name)
        done = replay(moved, trace, "simgrid")
        assert done.returncode == 0, done.stderr
        assert done.stdout == replay(built, trace, "simgrid").stdout
    print("found, missed and refused where it should be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
