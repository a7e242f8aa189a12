"""`python -m benchmarks.search`: the time of a search with 2,000 and with 200,000 entries, and their ratio.

Entries are made in SQL: posts with words of a vocabulary in which some are frequent and most are rare, beside 84
participants and the catalogue.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import django
import psycopg

from benchmarks import site_processes
from project.config import ROOT

SMALL, LARGE = 2_000, 200_000
ROUNDS = 30
QUERIES = {
    "a name": "kaldunski",
    "two words, in any order": "kaldunski jan",
    "half a word": "kaldun",
    "a short beginning": "ka",
    "a frequent word": "chopin",
    "two frequent words": "chopin piano",
    "a frequent and a rare word": "chopin w1777",
    "a frequent beginning and a rare word": "cho w1777",
    "a rare word": "w1777",
    "a word of one post in a hundred": "w60",
    "two such words": "w60 w70",
    "a word of one letter": "a",
    "a piece": "op 10/4",
    "nothing": "xqzzt",
}
AIM = 2.0  # the highest ratio of both times

_FILL = """
INSERT INTO search_entries (kind, object_id, is_public, weight, title, detail, text, folded, words)
SELECT 'post', number, true, number, 'Post ' || number, '', text, '|',
    (SELECT string_agg(DISTINCT quote_literal('po~' || word), ' ') FROM unnest(string_to_array(text, ' ')) AS word)
        ::tsvector
FROM (
    SELECT number, 'chopin piano a ' || CASE number %% 3 WHEN 0 THEN 'kawai ' ELSE 'steinway ' END
        || string_agg('w' || floor(power(random(), 3) * 20000)::int, ' ') AS text
    FROM generate_series(1, %s) AS number, generate_series(1, 12) AS words
    WHERE words > 0 GROUP BY number
) AS post
"""
_NAMES = """
INSERT INTO search_entries (kind, object_id, is_public, weight, title, detail, text, folded, words)
SELECT 'participant', number, true, 0, name, 'Poland', '', '| ' || lower(name) || ' |',
    (SELECT string_agg(quote_literal('pa' || mark || word), ' ')
        FROM unnest(string_to_array(lower(name), ' ')) AS word, unnest(ARRAY['=', '~']) AS mark)::tsvector
FROM (
    SELECT number, CASE number WHEN 1 THEN 'Jan Kaldunski' ELSE 'First' || number || ' Last' || number END AS name
    FROM generate_series(1, 84) AS number
) AS participant
"""


def fill(cursor: Any, entries: int) -> None:
    """Replace all entries by the catalogue, 84 participants, and posts up to this number."""
    from apps.competition.services.catalogue import catalogue_load

    cursor.execute("TRUNCATE search_entries")
    cursor.execute("DELETE FROM pieces")
    catalogue_load()
    cursor.execute(_NAMES)
    cursor.execute("SELECT setseed(0.45)")
    cursor.execute(_FILL, [entries - 84 - 105])
    cursor.execute("ANALYZE search_entries")  # as autovacuum does


def times() -> dict[str, float]:
    """Return the milliseconds of each query, the median of ROUNDS."""
    from apps.search.selectors import found

    taken: dict[str, list[float]] = {name: [] for name in QUERIES}
    for _ in range(ROUNDS):
        for name, typed in QUERIES.items():
            began = time.perf_counter()
            found(typed, is_administrator=False, most=8)
            taken[name].append((time.perf_counter() - began) * 1000)
    return {name: median(each) for name, each in taken.items()}


def measured(url: str) -> dict[str, dict[str, float]]:
    """Return the times with few entries and with many, in the database at `url`."""
    found = {}
    with psycopg.connect(url, autocommit=True) as owner:  # only the owner may analyse tables
        for name, entries in (("small", SMALL), ("large", LARGE)):
            fill(owner.cursor(), entries)
            times()  # warms up
            found[name] = times()
    return found


def main() -> None:
    """Measure in a process with a database of its own, and print."""
    with (
        site_processes.database("parterre_bench_search") as url,
        tempfile.TemporaryDirectory(prefix="parterre-bench-") as folder,
    ):
        environment = site_processes.environment(Path(folder), url, site_processes.PORTS[0])
        migrate = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"]
        subprocess.run(migrate, cwd=ROOT, check=True, env=environment)
        command = [sys.executable, "-m", "benchmarks.search", url]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, env=environment)
    found = json.loads(done.stdout.splitlines()[-1])
    ratios = {name: found["large"][name] / found["small"][name] for name in QUERIES}
    for name, ratio in ratios.items():
        print(f"{name:40} {found['small'][name]:6.2f} ms {found['large'][name]:6.2f} ms  ratio {ratio:.2f}")
    highest = max(ratios.values())
    print(f"highest ratio {highest:.2f}, aim at most {AIM:g}: {'reached' if highest <= AIM else 'missed'}")


if __name__ == "__main__":
    if sys.argv[1:]:
        django.setup()
        print(json.dumps(measured(sys.argv[1])))
    else:
        main()
