"""Run the tests that depend on the time of day or the day at four doubtful moments.

`python -m tests.clocks.run [--at WORD] [module ...]`: at the moments whose name contains the word, or at all; these
modules, or all that depend on it.
A preloaded library shifts the clock of the tests, of their processes and of a PostgreSQL server of their own. Without
a C compiler nothing is tested, and the program says so.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from project.config import ROOT, environment_read

SOURCE = Path(__file__).with_name("shift.c")
# A module whose source reads the clock, or has a day of a certain year, which will once be in the past.
DATED = re.compile(r"\bnow\(\)|localdate|localtime\(|date\.today\(|midnight|\bEVENING\b|datetime\(20\d\d")
PRODUCT_READS = re.compile(r"tests/apps/(demo|notifications)/")  # in these apps most code reads the clock
BEFORE = timedelta(minutes=3)  # the run passes the change of the clocks


def moments(now: datetime, zone: ZoneInfo) -> Mapping[str, datetime]:
    """Return the doubtful moments after `now` by name, in the venue's zone or in UTC."""
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return {
        "ten minutes before midnight": datetime.combine(tomorrow, time(23, 50), zone),
        "ten minutes after midnight": datetime.combine(tomorrow, time(0, 10), zone),
        "before the hour that the clock shows twice": _change(now.date(), 10) - BEFORE,
        "before the hour that the clock leaves out": _change(now.date(), 3) - BEFORE,
    }


def _change(today: date, month: int) -> datetime:
    """Return the next change of the clocks in this month: at 01:00 UTC on its last Sunday, in all zones of Europe."""
    year = today.year + (today.month >= month)
    last = date(year, month, 31)
    sunday = last - timedelta(days=(last.weekday() + 1) % 7)
    return datetime.combine(sunday, time(1), UTC)


def modules() -> Iterator[str]:
    """Yield the test modules that depend on the time of day or the day, without the long runs."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if "soak" not in path.parts and (PRODUCT_READS.match(name) or DATED.search(text)):
            yield name


def run_at(moment: datetime, tests: list[str], library: Path, folder: Path) -> int:
    """Run these modules at this moment, with their data in `folder`. Return pytest's exit code."""
    shift = round((moment - datetime.now(UTC)).total_seconds())
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "CLOCK_SHIFT": str(shift),
        "PARTERRE_DATA": str(folder),
    }
    command = [sys.executable, "-m", "pytest", "-q", "--numprocesses=2", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    """Run the modules at each moment. Return 1 if a test failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", default="", metavar="WORD")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.stdout.write("There is no C compiler: the clocks cannot be shifted.\n")
        return 0
    codes = []
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the database's user reads the library
        library = Path(folder) / "shift.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
        zone = ZoneInfo(environment_read().venue_time_zone)
        for name, moment in moments(datetime.now(UTC), zone).items():
            if options.at not in name:
                continue
            sys.stdout.write(f"{name}: {moment.astimezone(zone):%A, %d %B %Y, %H:%M}\n")
            sys.stdout.flush()
            data = Path(folder) / name.replace(" ", "-")
            data.mkdir()
            codes.append(run_at(moment, options.modules or [*modules()], library, data))
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
