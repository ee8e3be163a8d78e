#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the options that each `reprise VERB --help` shows with the ones in the man page: in that verb's section and in the one of all verbs.

Every verb and action of the table of options (--print-options) has to have a section, and to stand in the synopsis.

usage: man_page.py REPRISE PAGE
"""
import pathlib
import re
import subprocess
import sys

COMMON = "options of every verb"
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


def verbs_of(reprise):
    """Those with options of their own: "replay", "trace info"; `study` is a verb and has actions."""
    table = subprocess.run([reprise, "--print-options"], capture_output=True, encoding="utf-8", check=True).stdout
    return list(dict.fromkeys(row.split("\t")[1] for row in table.splitlines() if row.startswith("option\t")))


def synopsis(page):
    """Of each line the words: {"study", "merge", "status", …}."""
    text = re.search(r"^\.SH SYNOPSIS\n(.*?)^\.SH ", page, re.S | re.M).group(1)
    return [set(re.findall(r"[a-z]+", line)) for line in text.split(".br\n")]


def main():
    reprise, page = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    failed = False
    common = options_in_page(page, COMMON)
    verbs = verbs_of(reprise)
    if len(verbs) < 20:
        print(f"reprise --print-options names {len(verbs)} verbs and actions")
        failed = True
    for verb in verbs:
        shown, written = options_in_help(reprise, verb), options_in_page(page, verb)
        if not shown:
            print(f"reprise {verb} --help shows no options")
            failed = True
        if written is None or shown - common != written - common:
            print(f"reprise {verb}: --help shows {sorted(shown)}, the man page {sorted(written or [])}")
            failed = True
        if not any(set(verb.split()) <= line for line in synopsis(page)):
            print(f"reprise {verb} does not stand in the synopsis")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
