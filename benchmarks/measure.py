"""`make measure`: how far a newcomer has to walk, counted by running the walks and by reading the tree.

A rating is submitted in a browser, over a real socket, to a process that records each file it enters until COMMIT; then
a stranger asks such a process for a page that nobody has seen. `--list` prints the files and the climbs as well.
"before" was counted at commit 363996b4, before the structure was simplified.
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

from benchmarks import clicks, site_processes, tree
from benchmarks.recorder import APPLICATION

TABLE = "piece_ratings"  # that a rating is written to last
RATINGS = 3  # a file counts that each of them passes: what else the process does meanwhile is not in all
Span = dict[str, Any]


def spans(address: str) -> list[Span]:
    """What the process has recorded since it was asked last."""
    with urllib.request.urlopen(f"{address}/bench/recorded") as answer:
        return json.load(answer)


@contextlib.contextmanager
def recorded(opened: site_processes.House) -> Iterator[str]:
    """A fresh process of the site that records; gives its address."""
    port = site_processes.free_port()
    command = [sys.executable, "-m", "benchmarks.recorded", TABLE]
    with site_processes.started(command, opened.environment(port, "site"), port, opened.folder / "recorded.log"):
        yield f"http://127.0.0.1:{port}"


def rating(opened: site_processes.House) -> tuple[list[str], list[tuple[str, str]]]:
    """The files that every rating passes, and who called whom from its frame to the write."""
    with recorded(opened) as address:
        pages = [f"/participants/{pk}" for pk in opened.evening["participants"][:RATINGS]]
        runs: list[dict[str, None]] = []
        path: list[tuple[str, str]] = []
        for modules in clicks.ratings(address, opened.evening["cookie"], pages):
            written = next(each for each in spans(address) if each["path"])
            runs.append(dict.fromkeys([*modules, *written["files"]]))
            path = written["path"]
    begin = next(place for place, (file, _) in enumerate(path) if file == APPLICATION)
    end = max(place for place, (file, _) in enumerate(path) if file.startswith("apps/"))  # then each statement is timed
    files = [each for each in runs[-1] if all(each in run for run in runs)]
    return files, path[begin : end + 1]


def page_view(opened: site_processes.House) -> tuple[list[str], list[str]]:
    """The files that a stranger's first view of a session passes, and its climbs: who calls whom in a higher storey."""
    with recorded(opened) as address:
        for path in ("/", f"/sessions/{opened.evening['session']}"):  # the first loads what every page needs
            spans(address)
            with urllib.request.urlopen(address + path) as answer:
                answer.read()
        longest = max(spans(address), key=lambda each: len(each["files"]))
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
    storeys = [name for name, _ in groupby(file.partition("/")[0] for file, _ in path)]
    lines = tree.sources()
    folder, modules = tree.largest_folder(lines)
    print(f"{'':<58}{'now':>8}   {'aim':<8}before")
    line("a rating, click to COMMIT: files", len(files), "≤ 30", "46")
    line("  of them in Python, on the way to its write", len({file for file, _ in path}), "", "9")
    line("  changes of storey on the way to its write", len(storeys) - 1, "≤ 3", "3")
    line("a stranger's page view: files", len(passed), "", "98")
    line("  climbs to a higher storey", len(climbs), "≤ 2", "2")
    line("machinery, percent of the lines of Python and JavaScript", tree.machinery_percent(lines), "< 30", "29.7")
    line("median file, lines", median(lines.values()), "≤ 100", "55")
    line(f"longest file: {max(lines, key=lines.__getitem__)}", max(lines.values()), "≤ 500", "343")
    line(f"modules in the largest folder: {folder}", modules, "≤ 16", "16")
    count, python_lines, imports = tree.python_counts()
    line("Python files without migrations", count, "≤ 520", "709")
    line("  their lines", python_lines, "≤ 45000", "50200")
    line("  of these imports, percent", imports, "≤ 8", "11.8")
    if is_listed:
        print("\nA rating goes " + " → ".join(storeys))
        print(*(f"  {file} ({function})" for file, function in path), "and every one passes", sep="\n")
        print(*(f"  {each}" for each in files), "A stranger's page view climbs", sep="\n")
        print(*(f"  {each}" for each in climbs), "and passes", *(f"  {each}" for each in passed), sep="\n")


if __name__ == "__main__":
    main()
