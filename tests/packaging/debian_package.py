#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian package is made, says what it needs, and works unpacked.

usage: debian_package.py --cpack CPACK --build FOLDER [--mpicc MPICC]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import installed_tree  # noqa: E402
import used_tree  # noqa: E402


def field(package, name):
    return subprocess.run(
        ["dpkg-deb", "--field", package, name], check=True, capture_output=True, encoding="utf-8"
    ).stdout.strip()


def check_dependencies(package, has_recorder):
    """What programs are linked with, as dpkg-shlibdeps found it, and nothing that only a build needs."""
    needed = [one.split()[0] for one in field(package, "Depends").split(",")]
    expected = ["libc6", "libstdc++6", "libsimgrid", "libboost-program-options", "libdw1"]
    if has_recorder:
        expected.append("libopenmpi")
    absent = [name for name in expected if not any(one.startswith(name) for one in needed)]
    assert not absent, f"Depends lacks {absent}: {needed}"
    developers = [name for name in needed if name.endswith("-dev")]
    assert not developers, f"Depends names {developers}"
    assert "openmpi-bin" in field(package, "Recommends"), "no launcher is recommended"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cpack", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--mpicc")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        subprocess.run(
            [options.cpack, "-G", "DEB", "--config", options.build / "CPackConfig.cmake", "-B", scratch],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=scratch,
        )
        packages = list(scratch.glob("*.deb"))
        assert len(packages) == 1, packages
        package = packages[0]
        assert package.name == f"reprise_{field(package, 'Version')}_{field(package, 'Architecture')}.deb", package.name
        check_dependencies(package, options.mpicc is not None)
        subprocess.run(["dpkg-deb", "--extract", package, scratch / "root"], check=True)
        (scratch / "work").mkdir()
        usr = scratch / "root/usr"
        used_tree.check(usr, installed_tree.libraries_of(options.build), scratch / "work", options.mpicc)
        # Debian's zsh and Python look in places of their own
        for name in ("share/zsh/vendor-completions/_reprise", "lib/python3/dist-packages/reprise/__init__.py"):
            assert (usr / name).is_file(), name
    return 0


if __name__ == "__main__":
    sys.exit(main())
