#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The colours of a page's matrix: numbers that differ by 0.4 % look alike, those of a wide spread take the whole ramp.

usage: matrix_colours.py PAGE_OF RESULTS.json     PAGE_OF: the program that writes the page
Exit 0: all is well; 1: something is not; 77: chromium, its driver or python3-selenium is not installed (the test is skipped).
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import browser

# Of a matrix: the shares of the ramp of its least and its most bytes, and how far their colours are apart, of 0 … 255, on the ramp of the page.
COLOURS = """
const found = matrixColours(arguments[0]), some = arguments[0].flat().filter((b) => b > 0);
const shares = [Math.min(...some), Math.max(...some)].map(found.share);
const colours = shares.map((share) => mixed(palette().ramp, share).match(/[0-9]+/g).map(Number));
return [...shares, Math.max(...colours[0].map((c, i) => Math.abs(c - colours[1][i]))), found.palest, found.most];
"""
NARROW = [[0, 1000, 1002], [1004, 0, 1000], [1000, 1001, 0]]
WIDE = [[0, 1, 30], [1000, 0, 30], [1, 900, 0]]


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("skipped: chromium or chromedriver is not installed")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([sys.argv[1], sys.argv[2], scratch], check=True)
        page = browser.driver(1280, 800)
        try:
            page.get((pathlib.Path(scratch) / "report.html").as_uri())
            narrow, wide = (page.execute_script(COLOURS, matrix) for matrix in (NARROW, WIDE))
        finally:
            page.quit()
    # Log(2 · 1000/1004) / log 2 of the ramp above its palest 15 %.
    if not 0.99 < narrow[0] < narrow[1] == 1 or narrow[2] > 3 or narrow[3:] != [502, 1004]:
        problems.append(f"0.4 % apart: {narrow}")
    if abs(wide[0] - 0.15) > 1e-9 or wide[1] != 1 or wide[2] < 60 or wide[3:] != [1, 1000]:
        problems.append(f"a factor of 1000 apart: {wide}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
