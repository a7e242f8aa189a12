"""The processor time of a rating change for covered and other viewers: `python -m benchmarks.rating_change`.

1,000 windows of 100 members, each of whom has marked other performances, and 1,000 anonymous ones show a live session;
a moderator approves a mark. Counted are the site's process and the service, without PostgreSQL and the viewers.
`--before TREE` measures another checkout of the project in turn, in the same run (ADR 26: at most 1.3 times as much
as commit c77767c8, before figures were covered). The run also compares keeping a mark with submitting (ADR 27).
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
MEMBERS, WINDOWS, CHANGES = 100, 1000, 12  # accounts; windows of either kind; changes of a batch
BATCHES = 5  # of each checkout in turn; the first is a warm-up
FIRST_PORT = {"before": 8220, "now": 8235}
KEEPERS, KEPT = 30, 12  # accounts, and messages or submits of each
REST = 0.45  # seconds between changes, longer than the pause between two reads of the figures


def filled(appearances: list[int]) -> dict[str, Any]:
    """Store members with marks, and marks that wait. Returns the members' cookies and the ids of the marks."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from apps.accounts.models import User
    from apps.accounts.selectors.sessions import viewer_get
    from apps.accounts.services.accounts import account_create
    from apps.accounts.session_store import SessionStore
    from apps.competition.models import ProgramEntry
    from apps.ratings.models import PieceRating
    from apps.ratings.services.submission import ratings_submit

    programs = {
        pk: list(ProgramEntry.objects.filter(appearance=pk).values_list("piece_id", flat=True)) for pk in appearances
    }
    cookies, chosen, others = [], appearances[-1], appearances[:-1]
    for number in range(MEMBERS):
        account = account_create(email=f"m{number}@example.org", password=None, username=f"member{number}")
        viewer = viewer_get(user_id=account.pk)
        for place, pk in enumerate(others):
            if number >> place & 1:
                marks = dict.fromkeys(programs[pk][: 1 + number % len(programs[pk])], 1 + number % 25)
                ratings_submit(actor=viewer, appearance_id=pk, pieces=marks, score=1 + number % 5, comment="So it was.")
        store = SessionStore()
        store[SESSION_KEY] = str(account.pk)
        store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        store[HASH_SESSION_KEY] = User.objects.get(pk=account.pk).get_session_auth_hash()
        store.create()
        cookies.append(f"{settings.SESSION_COOKIE_NAME}={store.session_key}")
    waiting = []
    for number in range(BATCHES * CHANGES):
        rater = account_create(email=f"r{number}@example.org", password=None, username=f"rater{number}")
        mark = PieceRating(user=rater, appearance_id=chosen, piece_id=programs[chosen][0], score=1 + number % 25)
        mark.save()
        waiting.append(mark.pk)
    return {"cookies": cookies, "marks": waiting, "appearance": chosen}


async def measure(order: dict[str, Any], known: dict[str, Any]) -> None:
    """Open the windows; then, for each line of stdin, print the milliseconds of a change of the next batch."""
    from apps.accounts.actors import OPERATOR
    from apps.ratings.enums import RatingKind
    from apps.ratings.services.moderation import mark_approve
    from benchmarks.clocks import cpu
    from benchmarks.viewers import Bench, Order, Viewer

    class Windows(Bench):
        """The windows of members and anonymous visitors."""

        def make_viewer(self, path: str) -> Viewer:
            number, self.made = self.made, self.made + 1
            return Viewer(self, path, known["cookies"][number % MEMBERS] if number < WINDOWS else "")

        made = 0

    bench = Windows(Order(**order))
    await bench.grow(2 * WINDOWS)
    loop = asyncio.get_running_loop()
    print(json.dumps({"ready": len(bench.viewers)}), flush=True)
    marks = iter(known["marks"])
    while (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        spent, before = 0.0, cpu(order["pid"])
        for _ in range(CHANGES):
            bench.expect()
            bench.markers = ((f'["performance_means:{known["appearance"]}:'.encode(),),)
            mark = next(marks)

            def approve(mark: int = mark) -> float:
                begun = time.thread_time()
                mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=mark)
                return time.thread_time() - begun

            spent += await loop.run_in_executor(None, approve)
            await asyncio.wait_for(bench.done.wait(), 60)
            await asyncio.sleep(REST)
        spent += cpu(order["pid"]) - before
        print(json.dumps({"change_ms": spent / CHANGES * 1e3, "lost": bench.lost}), flush=True)
    bench.leaving = True


def keeping(appearance: int) -> float:
    """Return the processor time of keeping a mark as a share of that of submitting: medians of alternating calls."""
    from apps.accounts.selectors.sessions import viewer_get
    from apps.accounts.services.accounts import account_create
    from apps.competition.models import ProgramEntry
    from apps.core.commands import REGISTERED, Arguments
    from apps.core.texts import texts

    pieces = list(ProgramEntry.objects.filter(appearance=appearance).values_list("piece_id", flat=True))
    keepers = [account_create(email=f"k{n}@example.org", password=None, username=f"keeper{n}") for n in range(KEEPERS)]
    viewers, t = [viewer_get(user_id=each.pk) for each in keepers], texts("en")
    times: dict[str, list[float]] = {"rating_keep": [], "ratings_submit": []}
    for number in range(KEPT):
        mark = str(1 + number)
        one = {f"piece-{pieces[number % len(pieces)]}": mark, f"age-piece-{pieces[number % len(pieces)]}": "400"}
        everything = {f"piece-{pk}": mark for pk in pieces} | {"score": "4", "comment": f"Heard it {number} times."}
        for viewer in viewers:
            for name, fields in (("rating_keep", one), ("ratings_submit", everything)):
                begun = time.process_time()
                REGISTERED[name].answer(viewer, Arguments(str(appearance), fields), t)
                times[name].append(time.process_time() - begun)
    return median(times["rating_keep"]) / median(times["ratings_submit"])


def child(tree: str, name: str) -> None:
    """Measure one checkout: serve it, and obey stdin."""
    sys.path.insert(0, tree)
    from benchmarks import site_processes

    site_processes.PORTS = range(FIRST_PORT[name], FIRST_PORT[name] + 15)  # two processes may find the same port free
    with site_processes.opened(f"{site_processes.DATABASE}_{name}") as house, house.server("site") as serving:
        os.environ.update(house.environment(serving.port, "site"))
        import django

        django.setup()
        known = filled(house.evening["appearances"][:3])
        order = {
            "kind": "site", "port": serving.port, "pid": serving.pid, "session": house.evening["session"],
            "appearances": house.evening["appearances"],
        }  # fmt: skip
        asyncio.run(measure(order, known))
        if Path(tree, "apps/ratings/services/drafts.py").exists():
            print(json.dumps({"keeping": keeping(known["appearance"])}), flush=True)


def measured(before: str = "") -> dict[str, float]:
    """Return the milliseconds of a change here and before, their ratio, and that of keeping and submitting."""
    trees = {"before": before, "now": str(ROOT)} if before else {"now": str(ROOT)}
    times: dict[str, list[float]] = {name: [] for name in trees}
    with ExitStack() as stack:
        children = {
            name: stack.enter_context(
                subprocess.Popen(
                    [sys.executable, __file__, "--child", tree, name], cwd=tree, text=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": tree},
                )
            )
            for name, tree in trees.items()
        }  # fmt: skip
        for process in children.values():
            answered(process)
        for number in range(BATCHES):
            for name, process in children.items():
                print("next", file=process.stdin, flush=True)
                figures = answered(process)
                if figures["lost"]:
                    raise SystemExit(f"{figures['lost']} windows were lost")
                times[name] += [figures["change_ms"]] if number else []
        for process in children.values():
            print(file=process.stdin, flush=True)
        found = {name: median(each) for name, each in times.items()} | answered(children["now"])
    return found | ({"ratio": found["now"] / found["before"]} if before else {})


def answered(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Return the next line of figures."""
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise SystemExit("A benchmark of rating changes has ended early.")
    return dict(json.loads(line))


def report(figures: dict[str, float]) -> str:
    """Return the figures in words."""
    lines = [f"a rating change for {2 * WINDOWS:,} windows, half of them of members: {figures['now']:.1f} ms"]
    if "ratio" in figures:
        lines.append(
            f"  before: {figures['before']:.1f} ms, {figures['ratio']:.2f} times as much now (aim: at most 1.3)"
        )
    lines.append(f"keeping a mark: {figures['keeping']:.2f} of submitting (aim: at most 0.5)")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.rating_change", description=__doc__)
    parser.add_argument("--before", default="", help="another checkout, measured in turn")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if options.child:
        child(*options.child)
    else:
        print(report(measured(options.before)))


if __name__ == "__main__":
    main()
