#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page's HTML and the charts' SVG are well formed, and every number of the tables is one of the results.

usage: structure.py PAGE_OF RESULTS.json     PAGE_OF: the program that writes the page
"""
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.refers, self.rows, self.script = [], [], [], [], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.refers += attributes.get("aria-labelledby", "").split()
        self.refers += [link[1:] for link in [attributes.get("href", "")] if link.startswith("#")]
        if tag == "tr" and "data-point" in attributes:
            self.rows.append((int(attributes["data-point"]), {}))
        if tag == "td" and "data-key" in attributes:
            self.rows[-1][1][attributes["data-key"]] = float(attributes["data-value"])
        if tag == "td" and "data-low" in attributes:
            self.rows[-1][1].update(low=float(attributes["data-low"]), high=float(attributes["data-high"]))
        if tag == "script":
            self.script = attributes.get("id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at line {self.getpos()[0]} closes nothing")

    def handle_startendtag(self, tag, attributes):
        if tag not in VOID and "svg" not in self.open:
            self.problems.append(f"<{tag}/> at line {self.getpos()[0]}")

    def handle_data(self, data):
        if self.script == "results" and self.open[-1] == "script":
            self.results = json.loads(data)


def main():
    page_of, source = sys.argv[1:3]
    results = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([page_of, source, scratch], check=True)
        folder = pathlib.Path(scratch)
        page = Page()
        page.feed((folder / "report.html").read_text(encoding="utf-8"))
        charts = {path.name: xml.etree.ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.svg"))}
    problems = page.problems + [f"<{tag}> is never closed" for tag in page.open]
    problems += [f"the id {name} stands twice" for name in set(page.ids) if page.ids.count(name) > 1]
    problems += [f"nothing has the id {name}" for name in page.refers if name not in page.ids]
    if page.results != results:
        problems.append("the results in the page are not the results")
    if sorted(number for number, _ in page.rows) != list(range(len(results["points"]))):
        problems.append("not every point has its row")
    for number, shown in page.rows:
        point = results["points"][number]
        wanted = {}
        if point["status"] == "done":
            time = point["predicted_time_s"]
            wanted = {"time": time["median"], "low": time["low"], "high": time["high"], "speedup": point["speedup"]}
        if shown != wanted:
            problems.append(f"point {number} shows {shown}, the results have {wanted}")
    if sorted(charts) != ["run-time.svg", "speed-up.svg"]:
        problems.append(f"the charts are {sorted(charts)}")
    problems += [f"{name} draws nothing" for name, root in charts.items() if len(root.findall(".//{*}rect")) < 6]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
