#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the options that each `reprise VERB --help` shows with the ones in the man page's section of that verb.

usage: man_page.py REPRISE PAGE
"""
import pathlib
import re
import subprocess
import sys

VERBS = [
    "record",
    "replay",
    "trace info",
    "trace dump",
    "trace check",
    "trace diff",
    "trace salvage",
    "trace assemble",
    "study",
    "study merge",
    "study status",
    "study slurm",
    "platform list",
    "platform show",
    "platform check",
    "platform place",
    "platform calibrate",
    "validate",
    "import",
    "export",
]
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|-[a-z])(?![\w-])")


def options_in_help(reprise, verb):
    text = subprocess.run([reprise, *verb.split(), "--help"], capture_output=True, encoding="utf-8", check=True).stdout
    rows = [line[:34] for line in text.split("options:\n")[1].splitlines() if re.match(r" {2}(-| {4}--)", line)]
    return set(OPTION.findall("\n".join(rows)))


def options_in_page(page, verb):
    """The options in the tags (.TP and the line below it) of the verb's section."""
    section = re.search(rf'^\.SS "?{verb}"?\n(.*?)(?=^\.S[SH] |\Z)', page, re.S | re.M)
    if not section:
        return None
    tags = re.findall(r"^\.TP\n(.*)$", section.group(1), re.M)
    return set(OPTION.findall("\n".join(tags).replace("\\-", "-").replace('"', " ")))


def main():
    reprise, page = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    failed = False
    for verb in VERBS:
        shown, written = options_in_help(reprise, verb), options_in_page(page, verb)
        if not shown:
            print(f"reprise {verb} --help shows no options")
            failed = True
        if shown != written:
            print(f"reprise {verb}: --help shows {sorted(shown)}, the man page {sorted(written or [])}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
