#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page in headless Chromium, light and dark, 1280 and 1920 px wide, and 500: no error in the console, every picture drawn, the numbers of
its tables those of the results; a timeline is moved without the browser laying out the page again.

usage: browser.py PAGE_OF RESULTS.json [--screenshots FOLDER]     PAGE_OF: the program that writes the page
Exit 0: all is well; 1: something is not; 77: chromium, its driver or python3-selenium is not installed (the test is skipped).
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    # another python3 comes first in PATH than the one that Debian's python3-selenium belongs to
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and "REPRISE_TRIED" not in os.environ:
        os.execve("/usr/bin/python3", ["/usr/bin/python3", *sys.argv], {**os.environ, "REPRISE_TRIED": "1"})
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

PICTURES = """
return [...document.querySelectorAll('.chart, .grid')].map(e => {
  const canvas = e.querySelector('canvas');
  if (!canvas) return [e.id, e.querySelectorAll('svg path, svg text').length];
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < data.length; i += 64) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return [e.id, colours.size > 3 ? 100 : 0];
})"""
# Pans by keys, a picture each, forth and back.
PAN = """
const canvas = document.querySelector('#chart-window canvas'), done = arguments[0];
canvas.focus();
for (let i = 0; i < 8; ++i) canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
let left = 24;
const step = () => {
  if (left-- === 0) return done();
  canvas.dispatchEvent(new KeyboardEvent('keydown', { key: left % 8 < 4 ? 'ArrowRight' : 'ArrowLeft', shiftKey: true }));
  requestAnimationFrame(step);
};
requestAnimationFrame(() => requestAnimationFrame(step));"""
WIDER = "return document.documentElement.scrollWidth > window.innerWidth"


def driver(width, height):
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def changes_of(browser, results):
    """Problems with the tables of a comparison."""
    problems = []
    for key in ("critical_path", "critical_path_calls", "wait_states", "ranks"):
        seen = browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(r => [...r.querySelectorAll('td[data-value]')].slice(0, 3).map(c => Number(c.dataset.value)))",
            f"#{key}-changes tbody tr",
        )
        wanted = [[row["before_s"], row["after_s"], row["change_s"]] for row in results[key]]
        if seen != wanted:
            problems.append(f"{key}: {seen} on the page, {wanted} in the comparison")
    bars = browser.execute_script(
        "return [...document.querySelectorAll('.waterfall rect')].map(r => [r.x.baseVal.value, r.x.baseVal.value + r.width.baseVal.value])"
    )
    if len(bars) != len(results["critical_path"]) + 2:
        problems.append(f"the waterfall has {len(bars)} bars")
    return problems


def layouts(browser):
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount")


def pan(browser):
    """Problems with moving the timeline: 24 pictures must not make the browser lay out the page that often."""
    if browser.execute_script("return document.querySelector('#chart-window canvas') === null"):
        return []
    browser.execute_cdp_cmd("Performance.enable", {})
    before = layouts(browser)
    browser.execute_async_script(PAN)
    count = layouts(browser) - before
    return [f"moving the timeline by 24 pictures makes the browser lay out the page {int(count)} times"] * (count > 4)


def numbers_of(browser, results):
    """Problems with the table of all points."""
    if "change_s" in results:
        return changes_of(browser, results)
    rows = browser.execute_script(
        """return [...document.querySelectorAll('#points tbody tr')].map(r =>
      [Number(r.dataset.point), ...['time', 'speedup'].map(k => { const c = r.querySelector('[data-key=' + k + ']'); return c ? c.dataset.value : null; })])"""
    )
    problems = []
    if len(rows) != len(results["points"]):
        problems.append(f"{len(rows)} rows for {len(results['points'])} points")
    for number, time, speedup in rows:
        point = results["points"][number]
        wanted = [None, None] if point["status"] != "done" else [point["predicted_time_s"]["median"], point["speedup"]]
        if [v and float(v) for v in (time, speedup)] != wanted:
            problems.append(f"point {number}: {time}, {speedup} on the page, {wanted} in the results")
    return problems


def look(page, results, folder):
    problems = []
    for width, height in ((500, 900), (1280, 900), (1920, 1080)):
        browser = driver(width, height)
        browser.execute_cdp_cmd(  # windows cannot be as narrow
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        try:
            for theme in ("light", "dark"):
                browser.execute_cdp_cmd(
                    "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
                )
                browser.get(page.as_uri())
                where = f"{width} px, {theme}: "
                problems += [where + entry["message"] for entry in browser.get_log("browser")]
                problems += [where + "the script did not finish"] * (
                    browser.execute_script("return document.documentElement.dataset.ready") is None
                )
                problems += [
                    where + f"{name} is empty" for name, marks in browser.execute_script(PICTURES) if marks < 6
                ]
                problems += [where + "the page is wider than the window"] * browser.execute_script(WIDER)
                problems += [where + text for text in numbers_of(browser, results)]
                if folder:
                    full = browser.execute_script("return document.documentElement.scrollHeight")
                    browser.execute_cdp_cmd(
                        "Emulation.setDeviceMetricsOverride",
                        {"width": width, "height": full, "deviceScaleFactor": 1, "mobile": False},
                    )
                    name = results["study"]["name"] if "study" in results else "comparison"
                    browser.save_screenshot(str(folder / f"{name}-{theme}-{width}.png"))
            problems += [f"{width} px: {text}" for text in interact(browser) + pan(browser)]
            problems += [f"{width} px, after clicks: {entry['message']}" for entry in browser.get_log("browser")]
        finally:
            browser.quit()
    return problems


def interact(browser):
    """Sorting, the theme's button and the keyboard do something."""
    return browser.execute_script(
        """
      const problems = [], rows = () => [...document.querySelector('table.sortable').tBodies[0].rows], order = () => rows().map(r => r.textContent).join();
      const before = order(), head = document.querySelector('table.sortable thead th.n button');
      head.click();
      const ascending = order();
      head.click();
      if (order() === before && ascending === before && rows().length > 1) problems.push('sorting changes nothing');
      const theme = document.documentElement.dataset.theme;
      document.getElementById('theme').click();
      if (document.documentElement.dataset.theme === theme) problems.push('the theme button changes nothing');
      for (const canvas of document.querySelectorAll('canvas')) {
        canvas.focus();
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
        if (document.activeElement !== canvas) problems.push('a canvas cannot be reached');
        const said = () => canvas.parentElement.querySelector('.readout').textContent;
        if (!said().startsWith('rank')) problems.push('arrow keys say nothing');
        if (!canvas.closest('#chart-window')) continue;
        const { iteration, inner_iterations: inner } = details.timeline.window.calls, first = details.timeline.window.calls.rank.indexOf(0);
        if (!said().includes(', iteration ' + [iteration[first], ...inner[first]].join('/') + ':')) problems.push('the iteration is not told: ' + said());
        if (!document.getElementById('window-path')) continue;
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }));
        if (!said().includes('critical path: ')) problems.push('n does not go along the critical path: ' + said());
      }
      return problems;"""
    )


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("skipped: chromium or chromedriver is not installed")
        return 77
    page_of, source = sys.argv[1:3]
    results = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([page_of, source, scratch], check=True)
        problems = look(pathlib.Path(scratch) / "report.html", results, folder)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
