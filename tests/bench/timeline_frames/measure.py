#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How smoothly the timeline of a page is moved: pictures a second in headless Chromium while panning, and what one costs.

usage: measure.py PAGE_OF [--bars 100000] [--ranks 32] [--seconds 4] [--width 1920]     PAGE_OF: build/…/page_of, which writes a page

The timeline is a made-up halo exchange (three bars a call: computing, in the call, waiting), with messages and a critical path. It is moved
a little in every picture, at three zooms: all of it, a tenth, a thousandth. Printed for each: pictures a second, milliseconds of CPU time of the
browser's processes a picture (which other work on the machine does not change much), and how often the browser laid out the page.
Needs chromium, chromedriver and python3-selenium.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "report" / "results" / "window.json"
PAN = """
const [seconds, done] = [arguments[0], arguments[1]], canvas = document.querySelector('#chart-window canvas');
canvas.scrollIntoView();
canvas.focus();
let pictures = 0, way = 1, begin = 0;
const step = (now) => {
  if (!begin) begin = now;
  if (now - begin > 1000 * seconds) return done([pictures, (now - begin) / 1000]);
  ++pictures;
  if (pictures % 12 === 0) way = -way;
  canvas.dispatchEvent(new KeyboardEvent('keydown', { key: way > 0 ? 'ArrowRight' : 'ArrowLeft', shiftKey: true }));
  requestAnimationFrame(step);
};
requestAnimationFrame(step);"""
ZOOM = "document.querySelector('#chart-window canvas').dispatchEvent(new KeyboardEvent('keydown', { key: '+' }))"


def window_of(ranks, bars):
    """A halo exchange: in each step a rank computes, sends to its neighbours, and waits for the slower of them."""
    steps = max(1, bars // (3 * 2 * ranks))
    draw = random.Random(1)
    clock = [0.0] * ranks
    calls = {
        key: []
        for key in ("rank", "thread", "site", "begin_s", "enter_s", "end_s", "wait_s", "iteration", "never_ends")
    }
    messages = {key: [] for key in ("from", "to", "tag", "bytes", "sent_s", "received_s")}
    path = {key: [] for key in ("rank", "part", "between_ranks", "site", "from_s", "to_s")}

    def call(rank, site, begin, enter, end, wait, step):
        for key, value in zip(calls, (rank, 0, site, begin, enter, end, wait, step, False)):
            calls[key].append(value)

    def on_path(rank, part, is_between, site, begin, end):
        for key, value in zip(path, (rank, part, is_between, site, begin, end)):
            path[key].append(value)

    at = 0
    for step in range(steps):
        sent = []
        for rank in range(ranks):
            begin, enter = clock[rank], clock[rank] + draw.uniform(80e-6, 120e-6)
            sent.append(enter + 2e-6)
            call(rank, 1, begin, enter, sent[rank], 0, step)
            if rank == at:
                on_path(rank, "compute", False, 1, begin, enter)
                on_path(rank, "send overhead", False, 1, enter, sent[rank])
        for rank in range(ranks):
            sides = [other for other in (rank - 1, rank + 1) if 0 <= other < ranks]
            ready = max(sent[other] + 5e-6 for other in sides) if sides else sent[rank]
            clock[rank] = max(ready, sent[rank]) + 1e-6
            call(rank, 2, sent[rank], sent[rank], clock[rank], max(0, ready - sent[rank]), step)
            for other in sides:
                for key, value in zip(messages, (other, rank, 1, 8192, sent[other], sent[other] + 5e-6)):
                    messages[key].append(value)
        to = max((other for other in (at - 1, at, at + 1) if 0 <= other < ranks), key=lambda other: clock[other])
        if to != at:
            on_path(at, "transfer", True, 1, sent[at], sent[at] + 5e-6)
        at = to
    return {
        "from_s": 0,
        "to_s": max(clock),
        "sites": {"1": "MPI_Isend at halo.c:40", "2": "MPI_Waitall at halo.c:44"},
        "calls": calls,
        "messages": messages,
        "path": path,
    }


def browser_of(width):
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},1080",
    ):
        options.add_argument(argument)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def page_cpu():
    """Seconds of CPU time of the browser's processes that make pictures."""
    seconds = 0
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if b"--type=" in (entry / "cmdline").read_bytes():
                    fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                    seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            except OSError:
                continue
    return seconds


def layouts(browser):
    return next(
        m["value"]
        for m in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        if m["name"] == "LayoutCount"
    )


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("page_of")
    parser.add_argument("--bars", type=int, default=100_000)
    parser.add_argument("--ranks", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--width", type=int, default=1920)
    options = parser.parse_args()
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    results["baseline_details"]["timeline"]["window"] = window_of(options.ranks, options.bars)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "results.json"
        source.write_text(json.dumps(results), encoding="utf-8")
        subprocess.run([options.page_of, source, folder], check=True)
        browser = browser_of(options.width)
        try:
            browser.set_script_timeout(60 + 10 * options.seconds)
            browser.get((pathlib.Path(folder) / "report.html").as_uri())
            browser.execute_cdp_cmd("Performance.enable", {})
            calls = len(results["baseline_details"]["timeline"]["window"]["calls"]["rank"])
            print(f"{3 * calls} bars of {options.ranks} ranks, {options.width} px")
            for name, zooms in (("all", 0), ("a tenth", 6), ("a thousandth", 13)):
                for _ in range(zooms):
                    browser.execute_script(ZOOM)
                before, laid_out = page_cpu(), layouts(browser)
                pictures, seconds = browser.execute_async_script(PAN, options.seconds)
                after = page_cpu()
                print(
                    f"{name:>14}: {pictures / seconds:5.1f} pictures a second, {1000 * (after - before) / pictures:5.1f} ms of CPU time a picture, "
                    f"{int(layouts(browser) - laid_out)} layouts in {pictures} pictures"
                )
        finally:
            browser.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
