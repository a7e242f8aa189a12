"""The report: each aim with the site's figure, the peer's figure and the verdict, and tables of all figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from statistics import median
from typing import Any

Run = dict[str, Any]  # the figures of one run: sockets by kind and number, pages, browser, community
FEW, MANY = 100, 1000  # numbers of viewers between which the cost of one more viewer is measured
CROWD = 5000  # viewers of a burst
TOTAL = "total"  # of all kinds of change of an evening
EVENING_BEFORE = 95.1  # MB of an evening at commit 363996b4, which had no compression (docs/adr/0009)


@dataclass(frozen=True, slots=True)
class Aim:
    """One aim: a figure of the site with its limit, or with the limit of its ratio to a peer's figure."""

    measure: str
    unit: str
    ours: Callable[[Run], float]
    limit: float
    peer: Callable[[Run], float] | None = None
    peer_name: str = ""


def further(kind: str) -> Callable[[Run], float]:
    """Return a figure: microseconds of CPU of one change for each viewer beyond the first hundred."""
    few, many = str(FEW), str(MANY)
    return lambda run: (
        (run["sockets"][kind][many]["change_ms"] - run["sockets"][kind][few]["change_ms"]) / (MANY - FEW) * 1e3
    )


def socket(kind: str, name: str, number: int = MANY) -> Callable[[Run], float]:
    """Return a figure of this kind of socket at this number of viewers."""
    return lambda run: run["sockets"][kind][str(number)][name]


def view(name: str) -> Callable[[Run], float]:
    """Return a figure: milliseconds of CPU of a page view."""
    return lambda run: run["pages"][name]["ms"]


def community(kind: str, name: str) -> Callable[[Run], float]:
    """Return a figure of the community feed."""
    return lambda run: run["community"][kind][name]


def visit(name: str) -> Callable[[Run], float]:
    """Return a figure of a first visit."""
    return lambda run: run["browser"]["visit"][name]


def evening(name: str, viewer: str = "packed") -> Callable[[Run], float]:
    """Return a figure of the evening: bytes of one change of this kind to a viewer, `packed` with the extension."""
    return lambda run: run["evening"][viewer]["one"][name]


def evening_mb(name: str, viewer: str) -> Callable[[Run], float]:
    """Return a figure of the evening: MB of this kind, or `total`, to a viewer, `packed` with the extension."""

    def megabytes(run: Run) -> float:
        kinds = run["evening"][viewer]["kinds"]
        return float(sum(kinds.values()) if name == TOTAL else kinds[name]) / 1e6

    return megabytes


AIMS = (
    Aim("CPU of a change, each further viewer", "µs", further("site"), 1.2, further("direct"), "(a)"),
    Aim("CPU of a change, all in", "µs", socket("site", "delivery_us"), 0.5, socket("hub", "delivery_us"), "(b)"),
    Aim("last viewer of 1,000", "ms", socket("site", "last_ms"), 0.7, socket("hub", "last_ms"), "(b)"),
    Aim("last viewer of 5,000, 20 comments a second", "ms", lambda run: run["burst"][str(CROWD)]["last_ms"], 1000),
    Aim("memory per viewer", "KiB", socket("site", "kib"), 35),
    Aim("CPU per new connection", "ms", socket("site", "connect_ms"), 0.8),
    Aim(
        "CPU per heartbeat", "µs", socket("site", "heartbeat_us"), 125
    ),  # 0.5 % of a core for 1,000 viewers with one each 25 s
    Aim("page view, anonymous", "ms", view("anonymous"), 0.15, view("plain"), "(e)"),
    Aim("page view, signed in", "ms", view("signed_in"), 0.3, view("template_signed_in"), "(d)"),
    Aim("browser, change of performer", "ms", lambda run: run["browser"]["performer"]["task"], 20),
    Aim("browser, one row of a part", "ms", lambda run: run["browser"]["row"]["task"], 2),
    Aim("browser, one leaf", "ms", lambda run: run["browser"]["leaf"]["task"], 1.5),
    Aim("live page, all files", "KiB", visit("kib"), 150),
    Aim("live page, scripts", "kB", visit("scripts_kb"), 67),  # 65 without the HTTP headers of seven files
    Aim("live page, longest task with a script, processor slowed four times", "ms", visit("script_ms"), 50),
    Aim(
        "community, CPU of a delivered change",
        "µs",
        community("site", "change_us"),
        1.5,
        community("relay-hub", "change_us"),
        "(g)",
    ),
    Aim("community, a reaction", "ms", community("times", "many"), 1.2, community("times", "few"), "20 posts"),
    Aim("community, last page", "ms", community("times", "last"), 1.2, community("times", "first"), "the first"),
    Aim("evening, with the extension", "MB", evening_mb(TOTAL, "packed"), round(0.15 * EVENING_BEFORE, 1)),
    Aim("evening, change of performer, with the extension", "B", evening("change of performer"), 1500),
    Aim("evening, comment, with the extension", "B", evening("comment"), 500),
)
PEERS = {
    "site": "ours",
    "direct": "(a) least possible",
    "hub": "(b) raw hub",
    "group": "(c) channel-layer group",
    "nicegui": "(f) NiceGUI",
}
FIGURES = {
    "delivery_us": "CPU of a change per viewer, µs",
    "last_ms": "last viewer, ms",
    "worst_ms": "last viewer, worst change, ms",
    "kib": "KiB per viewer",
    "base_mib": "MiB of the process without viewers",
    "connect_ms": "CPU per connection, ms",
    "heartbeat_us": "CPU per heartbeat, µs",
    "bytes": "bytes of a change",
}
WRITERS = {"site": "ours", "relay-hub": "(g) raw hub, same frames"}
COMMUNITY = {
    "cpu": "CPU, of a core",
    "changes": "changes a second to each viewer",
    "change_us": "CPU of a delivered change, µs",
    "p50_ms": "delivery, p50, ms",
    "p99_ms": "delivery, p99, ms",
}
PAGES = {
    "plain": "(e) plain Django view of 325 bytes",
    "template": "(d) Django template, anonymous",
    "template_signed_in": "(d) Django template, signed in",
    "anonymous": "ours, anonymous",
    "not_modified": "ours, anonymous, 304",
    "signed_in": "ours, signed in",
}
BROWSER = {
    "row": "one row of a part, 46 rows in each of ten lists",
    "long_row": "one row of a part of 460 rows",
    "leaf": "one leaf",
    "performer": "change of performer (session page, with its motion)",
}


VISIT = {
    "kib": "all files, KiB",
    "with_socket_kib": "with what the socket says first, KiB",
    "scripts_kb": "scripts, kB",
    "script_ms": "longest task with a script, ms of CPU",
}


EVENING = {"plain": "without the extension", "packed": "with it"}


def spread(values: Sequence[float]) -> str:
    """Return the median as text; of several values also the smallest and the largest."""
    digits = 1 if median(values) >= 20 else 2
    middle = f"{median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def tried(of: Callable[[Run], float], runs: Sequence[Run]) -> list[float]:
    """Return this figure of every run that has it."""
    values = []
    for run in runs:
        try:
            values.append(of(run))
        except KeyError:  # this part of the benchmark was not run
            continue
    return [value for value in values if not isnan(value)]  # NaN: the peer lacks this feature


def judged(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Return every measured aim with its figures and verdict. Ratios are taken within each run, before the median."""
    rows = []
    for aim in AIMS:
        ours, peers = tried(aim.ours, runs), tried(aim.peer, runs) if aim.peer else []
        if not ours or (aim.peer and not peers):
            continue
        judged_by = [mine / theirs for mine, theirs in zip(ours, peers, strict=True)] if aim.peer else ours
        rows.append(
            {
                "measure": aim.measure, "unit": aim.unit, "ours": ours, "peer": peers, "peer_name": aim.peer_name,
                "ratio": judged_by if aim.peer else [], "aim": aim.limit, "met": median(judged_by) <= aim.limit,
            }
        )  # fmt: skip
    return rows


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

    return "\n".join([line(head), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows)])


def aims_table(runs: Sequence[Run]) -> str:
    """Return the table of aims: figure of the site, figure of the peer, ratio, aim and verdict."""
    rows = [
        [
            row["measure"],
            f"{spread(row['ours'])} {row['unit']}",
            f"{row['peer_name']} {spread(row['peer'])}" if row["peer"] else "",
            spread(row["ratio"]) if row["ratio"] else "",
            f"{row['aim']:g} of {row['peer_name']}" if row["peer"] else f"{row['aim']:g} {row['unit']}",
            "met" if row["met"] else "MISSED",
        ]
        for row in judged(runs)
    ]
    return table(["measure", "ours", "peer", "ratio", "aim at most", ""], rows)


def sockets_table(runs: Sequence[Run]) -> str:
    """Return the table of sockets: every figure of every kind, at each number of viewers."""
    kinds = [kind for kind in PEERS if any(kind in run["sockets"] for run in runs)]
    numbers = sorted({int(number) for run in runs for kind in run["sockets"].values() for number in kind})
    rows = []
    for name, title in FIGURES.items():
        for number in numbers:
            cells = [tried(socket(kind, name, number), runs) for kind in kinds]
            rows.append([title, f"{number:,}", *(spread(values) if values else "" for values in cells)])
    return table(["figure", "viewers", *(PEERS[kind] for kind in kinds)], rows)


def milliseconds_table(names: dict[str, str], of: Callable[[str], Callable[[Run], float]], runs: Sequence[Run]) -> str:
    """Return a table of figures in milliseconds, one a line."""
    rows = [[title, spread(values)] for name, title in names.items() if (values := tried(of(name), runs))]
    return table(["", "ms"], rows)


def visit_table(runs: Sequence[Run]) -> str:
    """Return the table of a first visit."""
    rows = [[title, spread(values)] for name, title in VISIT.items() if (values := tried(visit(name), runs))]
    return table(["", ""], rows)


def community_table(runs: Sequence[Run]) -> str:
    """Return the table of the community, for the site and the raw hub."""
    cells = {title: [tried(community(kind, name), runs) for kind in WRITERS] for name, title in COMMUNITY.items()}
    rows = [[title, *map(spread, figures)] for title, figures in cells.items() if all(figures)]
    return table(["", *WRITERS.values()], rows)


def evening_table(runs: Sequence[Run]) -> str:
    """Return the table of the evening: MB of each kind, and bytes of one change of it, for both viewers."""
    kinds = [kind for run in runs if "evening" in run for kind in (*run["evening"]["plain"]["kinds"], TOTAL)]
    rows = []
    for kind in kinds:
        megabytes = [spread(tried(evening_mb(kind, viewer), runs)) for viewer in EVENING]
        ones = [values and spread(values) for values in (tried(evening(kind, viewer), runs) for viewer in EVENING)]
        rows.append([kind, *megabytes, *(one or "" for one in ones)])
    heads = (f"{unit}, {viewer}" for unit in ("MB", "bytes of one") for viewer in EVENING.values())
    return table(["", *heads], rows)


def report(runs: Sequence[Run]) -> str:
    """Return the whole report as Markdown."""
    return "\n\n".join(
        [
            f"Median (least-most) of {len(runs)} runs.",
            aims_table(runs),
            sockets_table(runs),
            "Page views, CPU\n" + milliseconds_table(PAGES, view, runs),
            "Browser, main thread for each update\n"
            + milliseconds_table(BROWSER, lambda name: lambda run: run["browser"][name]["task"], runs),
            "Live page, first visit of somebody signed in, processor slowed four times\n" + visit_table(runs),
            "Community, 200 viewers and 20 writes a second\n" + community_table(runs),
            "Evening of four hours, one viewer\n" + evening_table(runs),
        ]
    )
