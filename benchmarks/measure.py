"""`make measure`: the distance that a newcomer must walk through the code, from recorded runs and from the tree.

A rating is submitted in a browser, over a real socket, to a process that records each file entered until COMMIT. Then
an anonymous visitor requests an uncached page from such a process. A process without the recorder is started for its
memory and the time of its start (`benchmarks/start.py`). `--list` also prints the files and climbs. "before" is the
count at commit 363996b4, before the structure was simplified; of the start, at commit 3f743353.
"""

import argparse
import contextlib
import json
import sys
import urllib.request
from collections.abc import Iterator
from itertools import groupby
from statistics import median
from typing import Any

from benchmarks import clicks, site_processes, start, tree
from benchmarks.recorder import APPLICATION

TABLE = "piece_ratings"  # the last table that a rating writes
RATINGS = 3  # only files of every rating count, which excludes other work of the process
Span = dict[str, Any]


def spans(address: str) -> list[Span]:
    """Return the spans that the process has recorded since the last call."""
    with urllib.request.urlopen(f"{address}/bench/recorded") as answer:
        return json.load(answer)


@contextlib.contextmanager
def recorded(opened: site_processes.House) -> Iterator[str]:
    """Run a fresh process of the site with a recorder, and yield its URL."""
    port = site_processes.free_port()
    command = [sys.executable, "-m", "benchmarks.recorded", TABLE]
    with site_processes.started(command, opened.environment(port, "site"), port, opened.folder / "recorded.log"):
        yield f"http://127.0.0.1:{port}"


def rating(opened: site_processes.House) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files that every rating passes, and the calls from its frame to the write."""
    with recorded(opened) as address:
        pages = [f"/participants/{pk}" for pk in opened.evening["participants"][:RATINGS]]
        runs: list[dict[str, None]] = []
        path: list[tuple[str, str]] = []
        for modules in clicks.ratings(address, opened.evening["cookie"], pages):
            written = next(span for span in spans(address) if span["path"])
            runs.append(dict.fromkeys([*modules, *written["files"]]))
            path = written["path"]
    begin = next(place for place, (file, _) in enumerate(path) if file == APPLICATION)
    end = max(place for place, (file, _) in enumerate(path) if file.startswith("apps/"))  # the rest times the statement
    files = [file for file in runs[-1] if all(file in run for run in runs)]
    return files, path[begin : end + 1]


def page_view(opened: site_processes.House) -> tuple[list[str], list[str]]:
    """Return the files of an anonymous visitor's first view of a session, and its climbs: calls into a higher layer."""
    with recorded(opened) as address:
        for path in ("/", f"/sessions/{opened.evening['session']}"):  # the first page loads code that every page needs
            spans(address)
            with urllib.request.urlopen(address + path) as answer:
                answer.read()
        longest = max(spans(address), key=lambda span: len(span["files"]))
    climbs = {
        f"{caller} ({function}) → {called} ({entered}) {times}"
        for ((caller, function), (called, entered)), times in longest["climbs"]
    }
    return longest["files"], sorted(climbs)


def line(measure: str, value: float, aim: str, before: str) -> None:
    """Print one row."""
    print(f"{measure:<58}{value:>8.5g}   {aim:<8}{before}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.measure", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the files and the climbs")
    is_listed = parser.parse_args().list
    with site_processes.opened() as opened:
        files, path = rating(opened)
        passed, climbs = page_view(opened)
        fresh = start.measured(opened)
    layers = [name for name, _ in groupby(file.partition("/")[0] for file, _ in path)]
    lines = tree.sources()
    folder, modules = tree.largest_folder(lines)
    print(f"{'':<58}{'now':>8}   {'aim':<8}before")
    line("a rating, click to COMMIT: files", len(files), "≤ 30", "46")
    line("  of them in Python, on the way to its write", len({file for file, _ in path}), "", "9")
    line("  changes of layer on the way to its write", len(layers) - 1, "≤ 3", "3")
    line("an anonymous page view: files", len(passed), "", "98")
    line("  climbs to a higher layer", len(climbs), "≤ 2", "2")
    line("machinery, percent of the lines of Python and JavaScript", tree.machinery_percent(lines), "< 30", "29.7")
    line("median file, lines", median(lines.values()), "≤ 100", "55")
    line(f"longest file: {max(lines, key=lines.__getitem__)}", max(lines.values()), "≤ 500", "343")
    line(f"modules in the largest folder: {folder}", modules, "≤ 16", "16")
    count, python_lines, imports = tree.python_counts()
    line("Python files without migrations", count, "≤ 520", "709")
    line("  their lines", python_lines, "≤ 45000", "50200")
    line("  of these imports, percent", imports, "≤ 8", "11.8")
    line("a fresh web process without viewers, MiB", fresh.resident, "≤ 95", "135")
    line("  of these its own and its share of common pages", fresh.proportional, "", "110")
    line("  CPU seconds of its start until /readyz", fresh.cpu, "≤ 0.9", "1.8")
    line("  seconds of its start until /readyz", fresh.wall, "", "3.4")
    if is_listed:
        print("\nA rating goes " + " → ".join(layers))
        print(*(f"  {file} ({function})" for file, function in path), "and every one passes", sep="\n")
        print(*(f"  {each}" for each in files), "An anonymous page view climbs", sep="\n")
        print(*(f"  {each}" for each in climbs), "and passes", *(f"  {each}" for each in passed), sep="\n")


if __name__ == "__main__":
    main()
