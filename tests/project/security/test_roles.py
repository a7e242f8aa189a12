"""Tests access control of every address, page event and command for each role; test_walk.py tests that of pages.

The tests collect addresses and handlers automatically. The rows of other accounts come from conftest.py.
"""

from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.models import AuthSession
from apps.core.buckets import Rate
from apps.core.commands import REGISTERED, Access
from apps.core.threads import in_thread
from apps.notifications.models import Announcement
from project.process.commands import TOO_FAST
from project.urls import urlpatterns
from tests.mails import mails_settle
from tests.orphans import orphans
from tests.project.security.addresses import ROLES, addresses, may
from tests.project.security.trying import (
    Offers,
    changed,
    events_of,
    foreign,
    ids,
    path_of,
    rows,
    try_commands,
    try_events,
)
from tests.screen import open_page
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
SUMS = frozenset({
    "session_reaction_totals", "session_comment_counts", "piece_rating_counts", "piece_mark_counts",
    "performance_rating_counts", "advance_recommendation_counts", "rating_submission_counts", "post_reaction_counts",
    "post_comment_counts", "report_case_counts", "follow_counts",
})  # fmt: skip
MAILED = frozenset({"one_time_links"})  # any visitor may request a link for any address; only its owner receives it
TRIED = frozenset({"rate_limits"})  # attempts count against the rate limit of an address: digests and times
ENDLESS = Rate(1e9, 1e9)
# The expected page events and commands. Without them, the tests would pass without any.
EVENTS = {
    *("watch", "order_open", "performance_open", "keys_open"),
    *("comments_older", "comments_toggle", "comments_earlier"),
}
NOT_SHOWN = {
    *("decision_undo", "report_decision_undo", "live_restore"),  # the data contains no decision to undo
    *("ratings_decide_matching", "reports_decide_matching"),  # the lists fit on one page
    *("import_category_set", "import_clear", "import_read_again", "import_save", "import_undo"),  # no file was read
    *("import_piece_leave_out", "import_person_set", "program_undo"),  # no row has errors, and no program was removed
    *("interval_take_back", "call_alert_set"),  # a performer is on stage
    *("import_changes_take", "import_changes_take_all"),  # as above
    *("import_columns_choose", "jury_columns_choose", "import_piece_choose"),  # as above
    "program_text_clear",  # the data contains no program text
    "texts_show",  # no account covers texts
    *("jury_file_choose", "jury_file_read_again", "jury_file_save", "jury_file_clear"),  # no file of the jury was sent
    *("jury_publish", "jury_unpublish", "jury_delete", "jury_renew"),  # no sheet of the jury is stored
    *("program_take", "programs_take"),  # no participant has imported pieces
    *("account_activate", "account_unlock", "factors_forget"),  # no account is closed or locked out, or has a factor
    *("demo_stop", "demo_start"),  # no demo is loaded
    "ranking_crowd",  # no account weighs less
    "jury_show",  # no stage has published marks of its jury
    "advancements_withdraw",  # no stage has published who advances
    *("prizes_publish", "prizes_restore", "prizes_withdraw"),  # no prizes are prepared
    *("planned_times_clear", "planned_times_shift", "planned_times_shift_back"),  # no session has planned times
    *("piano_update", "piano_delete", "session_pianos_set"),  # the list of pianos is empty
    *("slot_add", "slot_move", "slot_remove", "slot_update"),  # no stage has slots of its own
    *("program_entry_add", "program_part_link", "program_set_add"),  # as above
    "session_series_undo",  # no sessions were made at once
    "push_unsubscribe",  # push is on in no browser
    "reaction_add",  # posted as taps, without a form
    "rating_send",  # no performance that is compared has a whole mark and a comment
    *("rating_keep", "ratings_take_over"),  # sent by scripts while marks are struck, and after a sign-in
}


@pytest.mark.parametrize("role", ["fan", "anonymous"])
def test_addresses_change_no_row_of_another_account(people, role):
    """Requests to every address that name another account change no row of that account."""
    account = getattr(people, role)
    session_cookie(people.other)
    handle = str(AuthSession.objects.get(user=people.other).handle)
    fields = {"id": handle, "handle": handle, "email": people.other.email, "username": people.other.username}
    before = rows()
    for pattern in urlpatterns[:-1]:
        for method in ("get", "post"):
            client = Client()
            if account:
                client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(account).partition("=")[2]
            path = path_of(pattern, people.session)
            response = getattr(client, method)(path, {**fields, "password": "not-the-password"})
            assert response.status_code < 500, pattern
    assert mails_settle()  # any visitor may request a mail to any address: it waits in a table until it is sent
    assert foreign(before, rows(), account.pk if account else None, derived=SUMS | MAILED | TRIED) == []


@pytest.fixture
def no_rate_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the rate limits of commands: these tests check permissions."""
    monkeypatch.setattr("project.sockets.page_socket.COMMANDS", ENDLESS)
    monkeypatch.setattr("project.sockets.page_socket.COMMANDS_ADMIN", ENDLESS)
    monkeypatch.setattr("project.limits.connections.COMMANDS_ACCOUNT", ENDLESS)  # the limits of new processes


async def events_try(people: SimpleNamespace, role: str, offers: Offers, known: list[int]) -> None:
    """Open every page of this role, add what it offers to `offers`, and send every page event of it."""
    registered = set()
    for address, access in addresses(people).items():
        if may(role, access):
            async with open_page(address, user=getattr(people, role)) as screen:
                offers.take(screen)
                registered |= {name for name, _ in events_of(screen)}
                await try_events(screen, offers, known)
                assert screen.closed is None, (role, address)
    assert registered == EVENTS, role


@pytest.mark.limit(300, reason="tries each page event and each command in every role")
async def test_page_events_and_commands_change_no_row_of_another_account(people, no_rate_limits, caplog):
    """Only administrators change rows of other accounts. The role with the most permissions runs last."""
    await in_thread(Announcement.objects.all().delete)  # the site's worker would announce them during the walk
    offers = Offers()
    async with serving():
        known = await in_thread(ids)
        for role in ROLES:
            before = await in_thread(rows)
            await events_try(people, role, offers, known)
            account = getattr(people, role)
            assert foreign(before, await in_thread(rows), account and account.pk, derived=SUMS) == [], role
        commands = {name for name, command in REGISTERED.items() if command.work.__module__.startswith("apps.")}
        assert commands - offers.commands.keys() == NOT_SHOWN, " ".join(sorted(commands - offers.commands.keys()))
        for role in ROLES:
            account = getattr(people, role)
            before = await in_thread(rows)
            async with open_page("/contact", user=account) as screen:
                answers = await try_commands(screen, offers, known, role)
                assert screen.closed is None, role
            after = await in_thread(rows)
            if role == "anonymous":
                assert changed(before, after) == []
                doors = {"ratings_submit": "/register"}  # whoever has marked is offered an account
                for name, answer in answers:
                    assert answer.get("leave", "").startswith(f"{doors.get(name, '/login')}?next="), (name, answer)
            if role == "fan":
                assert foreign(before, after, account.pk, derived=SUMS) == []
                done = {name for name, answer in answers if answer["ok"]}
                assert {name for name in done if REGISTERED[name].access is not Access.MEMBER} == set()
            assert not [answer for answer in answers if "Something went wrong" in answer[1]["text"]], role
            assert TOO_FAST not in {answer["text"] for _, answer in answers}, "the walk tries nothing then"
            assert await in_thread(orphans) == {}, role
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


async def test_fan_can_change_own_rows(people, no_rate_limits):
    """A fan's own commands change rows, so the comparison of rows detects changes."""
    async with open_page(f"/sessions/{people.session.pk}", user=people.fan) as screen:
        offers = Offers()
        offers.take(screen)
        before = await in_thread(rows)
        await try_commands(screen, offers, [], "fan")
        after = await in_thread(rows)
    assert {table for table, _ in changed(before, after)} >= {"session_comments", "acts"}
