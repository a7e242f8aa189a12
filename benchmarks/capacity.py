"""Capacity planning from measured figures: `python -m benchmarks.capacity` prints the tables.

`docs/operations/capacity.md` contains the tables and explains each line. `tests/benchmarks/test_capacity.py` fails if
the document differs from this output, or a figure from the ADR that it comes from.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import django
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
if not apps.ready:
    django.setup(set_prefix=False)

from apps.core.scale.server_connections import Connections, connections_needed
from apps.live.reaction_batch import TICK
from benchmarks.herd import FULL, Browser, Herd, Loss, last_back
from benchmarks.report import table

VIEWERS = (1_000, 10_000, 100_000)
LOST_OF = (100_000, 50)  # viewers and processes in the simulation of losses


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number and its place in an ADR."""

    value: float
    unit: str
    what: str
    document: str  # below docs/adr
    row: str  # start of its line in the document
    says: str  # the number as written in that line


COST, BUS = "0009-what-a-viewer-costs.md", "0004-live-bus.md"
ALL_IN = "| CPU of a change, total, 1,000"
ANONYMOUS = Figure(29.3, "KiB", "memory of an anonymous visitor", COST, "| memory per anonymous visitor", "29.3 KiB")
MEMBER = Figure(71.8, "KiB", "memory of a member", COST, "| memory per viewer", "71.8")
BASE = Figure(106, "MiB", "memory of a process without viewers", COST, "| memory of a process", "106 MiB")
CONNECT = Figure(0.82, "ms", "CPU of an anonymous first render", COST, "| CPU per new anonymous", "0.82 ms")
ENTER = Figure(1.52, "ms", "CPU of a member's first render", COST, "| CPU per new connection |", "1.52")
CHANGE_FEW = Figure(20.8, "ms", "CPU of a change at 100 viewers", COST, "| CPU of a change at 100", "20.8 ms")
CHANGE_MANY = Figure(31.2, "µs", "CPU of a change for each of 1,000", COST, ALL_IN, "31.2 µs")
REQUEST = Figure(10, "ms", "of which the request that writes", COST, "| CPU of a change at 100", "transaction 10 ms")
BYTES = Figure(786, "bytes", "a change on the wire", COST, "| bytes of a change", "786")
HEARTBEAT = Figure(82, "µs", "CPU of a heartbeat", COST, "| answering heartbeats in", "82 µs")
ALONE = Figure(2_464, "a second", "notifying commits, one listener", BUS, "**Why.**", "2,464")
HUNDRED = Figure(844, "a second", "notifying commits, a hundred listeners", BUS, "**Why.**", "844 with a hundred")
FIGURES = (ANONYMOUS, MEMBER, BASE, CONNECT, ENTER, CHANGE_FEW, CHANGE_MANY, REQUEST, BYTES, HEARTBEAT, ALONE, HUNDRED)

# Assumptions that only a real session can confirm.
SIGNED_IN = 0.3  # share of the viewers, as in `make bench`'s community
CHANGES = 2 / TICK  # a second, at most: comments and reactions of one session, each rendered every TICK
WRITES = 1 / 1_000  # a second and viewer: comments, marks, posts
LOAD_MOST = 0.6  # share of a process's core; the rest is for reconnects
PER_MACHINE = {1_000: 1, 10_000: 2, 100_000: 8}  # processes of one machine, each with a core

FIRST_RENDER = ((1 - SIGNED_IN) * CONNECT.value + SIGNED_IN * ENTER.value) / 1e3  # seconds of a core
EACH = (CHANGE_MANY.value * 1e-6 * 1_000 - CHANGE_FEW.value * 1e-3) / 900  # seconds of a core, each further viewer
FIXED = (CHANGE_FEW.value - REQUEST.value) * 1e-3 - 100 * EACH  # the same, for a process that did not write it
BEAT = HEARTBEAT.value * 1e-6 / Browser.of_sources().heartbeat  # share of a core for each viewer
MOST = math.floor((LOAD_MOST - CHANGES * FIXED) / (CHANGES * EACH + BEAT))  # viewers per process


def load_of(viewers: float) -> float:
    """Return the load of a process with this number of viewers, as a share of its core."""
    return CHANGES * FIXED + viewers * (CHANGES * EACH + BEAT)


@dataclass(frozen=True)
class Plan:
    """The resources for a number of viewers."""

    viewers: int

    @property
    def per_machine(self) -> int:
        """Return the number of processes per machine."""
        return PER_MACHINE[self.viewers]

    @property
    def machines(self) -> int:
        """Return the machines for all viewers plus one, so that one may fail or restart."""
        return math.ceil(self.viewers / MOST / self.per_machine) + 1

    @property
    def processes(self) -> int:
        """Return the number of web processes."""
        return self.machines * self.per_machine

    @property
    def load(self) -> float:
        """Return the load of a process with all machines running, as a share of its core."""
        return load_of(self.viewers / self.processes)

    @property
    def load_after_loss(self) -> float:
        """Return the load of a process with one machine lost."""
        return load_of(self.viewers / (self.processes - self.per_machine))

    @property
    def memory(self) -> float:
        """Return the memory of a process with one machine lost, in MiB."""
        viewer = (1 - SIGNED_IN) * ANONYMOUS.value + SIGNED_IN * MEMBER.value
        return BASE.value + self.viewers / (self.processes - self.per_machine) * viewer / 1024

    @property
    def connections(self) -> Connections:
        """Return the most database connections: those that a pooler may share, and direct ones."""
        return connections_needed(self.processes)

    @property
    def commits(self) -> float:
        """Return the commits per second: a batch of taps per process and TICK, and the writes of viewers."""
        return self.processes / TICK + self.viewers * WRITES

    @property
    def possible_commits(self) -> float:
        """Return the notifying commits per second that PostgreSQL allows while every process listens.

        The cost of a commit is assumed to be linear in the listeners: 1/a + b · listeners.
        """
        one = 1 / ALONE.value
        return 1 / (one + (1 / HUNDRED.value - one) / 99 * (self.processes - 1))

    @property
    def topics(self) -> float:
        """Return the topics per second that all processes receive together."""
        return self.commits * self.processes

    @property
    def bytes_out(self) -> float:
        """Return the most bytes to all browsers, in MiB per second."""
        return self.viewers * CHANGES * BYTES.value / 2**20

    @cached_property
    def back(self) -> float:
        """Return the seconds until the last viewer has reconnected after a machine was killed."""
        return last_back(self._loss(silent=False))

    @cached_property
    def back_silent(self) -> float:
        """Return the seconds until the last viewer has reconnected after a machine stopped answering."""
        return last_back(self._loss(silent=True))

    def _loss(self, *, silent: bool) -> Loss:
        return Loss(self.viewers, self.processes, self.per_machine, FIRST_RENDER, self.load_after_loss, silent)


LINES: tuple[tuple[str, Callable[[Plan], str]], ...] = (
    ("machines of so many processes", lambda plan: f"{plan.machines} of {plan.per_machine}"),
    ("processes, each with a core", lambda plan: f"{plan.processes:,}"),
    ("viewers of a process", lambda plan: f"{plan.viewers / plan.processes:,.0f}"),
    ("busy, of each core", lambda plan: f"{plan.load:.0%}"),
    ("busy, one machine lost", lambda plan: f"{plan.load_after_loss:.0%}"),
    ("memory of a process, one machine lost", lambda plan: f"{plan.memory:,.0f} MiB"),
    ("memory of all processes", lambda plan: f"{plan.memory * plan.processes / 1024:,.1f} GiB"),
    ("connections to the database, at most", lambda plan: f"{plan.connections.pooled + plan.connections.direct:,}"),
    ("of which no pooler may share", lambda plan: f"{plan.connections.direct:,}"),
    ("commits a second", lambda plan: f"{plan.commits:,.0f}"),
    ("commits a second that LISTEN in every process allows", lambda plan: f"{plan.possible_commits:,.0f}"),
    ("topics a second, heard by all processes together", lambda plan: f"{plan.topics:,.0f}"),
    ("to all browsers, at most", lambda plan: f"{plan.bytes_out:,.1f} MiB/s"),
    ("all are back, a machine was killed", lambda plan: f"{plan.back:.1f} s"),
    ("all are back, a machine fell silent", lambda plan: f"{plan.back_silent:.1f} s"),
)


def plans_table(plans: Sequence[Plan]) -> str:
    """Return the table of all plans, with a row per figure and a column per plan."""
    rows = [[name, *(line(plan) for plan in plans)] for name, line in LINES]
    return table(["viewers", *(f"{plan.viewers:,}" for plan in plans)], rows)


def figures_table() -> str:
    """Return the table of measured figures."""
    rows = [[figure.what, f"{figure.value:,g} {figure.unit}", f"`docs/adr/{figure.document}`"] for figure in FIGURES]
    return table(["measured", "", "where"], rows)


def steps_table() -> str:
    """Return the table of figures derived from the measured ones, for any number of viewers."""
    rows = [
        ["a change, each further viewer", f"{EACH * 1e6:.1f} µs"],
        ["a change, each process that did not write it", f"{FIXED * 1e3:.1f} ms"],
        ["a first render", f"{FIRST_RENDER * 1e3:.2f} ms"],
        ["viewers of a process, at most", f"{MOST:,}"],
    ]
    return table(["follows", ""], rows)


def losses() -> Iterator[tuple[str, Loss]]:
    """Yield the losses that `make bench` simulates: 100,000 viewers, 50 processes, ten machines of five."""

    def house(lost: int, times: int = 1, *, silent: bool = False) -> Loss:
        load = min(load_of(LOST_OF[0] / (LOST_OF[1] - lost)), FULL)
        return Loss(*LOST_OF, lost, FIRST_RENDER * times, load, silent)

    yield "a machine of five is killed", house(5)
    yield "a machine of five falls silent", house(5, silent=True)
    yield "half of all are killed", house(25)
    yield "half of all, and a first picture takes five times as long", house(25, 5)


def losses_table() -> str:
    """Return the table of all losses."""
    rows = []
    for name, loss in losses():
        figures = Herd(loss).run().figures()
        whole = [f"{figures[what]:,.0f}" for what in ("lost", "told", "gave_up", "longest_queue")]
        rows.append([name, f"{figures['half_s']:.1f} s", f"{figures['last_s']:.1f} s", *whole])
    head = ["{:,} viewers, {} processes".format(*LOST_OF), "half are back", "the last is back", "who lost a socket"]
    head += ["times told to come later", "times given up", "longest queue of a process"]
    return table(head, rows)


if __name__ == "__main__":
    tables = [figures_table(), steps_table(), plans_table([Plan(viewers) for viewers in VIEWERS]), losses_table()]
    print(*tables, sep="\n\n")
