# SPDX-License-Identifier: MIT
"""The files of the tree that people write: what version control holds or would hold, without builds."""
import pathlib


def files(root, *suffixes):
    """Paths relative to `root`, sorted."""
    for top in sorted(root.iterdir()):
        if top.name.startswith("build") or top.name == ".git":
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts and (not suffixes or path.suffix in suffixes):
                yield path.relative_to(root)


def shell_scripts(root):
    for path in files(root, "", ".sh"):
        with open(root / path, "rb") as script:
            first = script.readline(80)
        if first.startswith(b"#!") and first.rstrip().endswith((b"bash", b"/sh", b" sh")):
            yield path


def self_test(root):
    (root / "build-x").mkdir()
    (root / "build-x/a.py").write_text("")
    (root / "b").mkdir()
    (root / "b/c.py").write_text("")
    (root / "run").write_text("#!/usr/bin/env bash\n")
    (root / "bootstrap").write_text("#!/usr/bin/env python3\n")
    assert list(files(root, ".py")) == [pathlib.Path("b/c.py")]
    assert list(shell_scripts(root)) == [pathlib.Path("run")]
