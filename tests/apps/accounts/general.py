"""What the general tests use of the app accounts: its selectors' calls on a large database."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.accounts.actors import Viewer
from apps.accounts.selectors import own_account, people, records, registrations, sessions, site_contact
from apps.accounts.selectors.people import PeopleFilter
from apps.core.audit import AuditFilter, audit_list
from apps.core.database.paging import Cursor
from apps.core.records import AUDIT, ERROR, LOOKED, RecordFilter, SearchText
from tests.apps.busy_session import ADMIN, ADMINISTRATOR, LISTENER, NOW
from tests.apps.reads import Read


def _audit(**narrowed: Any) -> Callable[[], object]:
    return lambda: people.audit_read(actor=ADMINISTRATOR, filters=AuditFilter(**narrowed))


EARLIER = Cursor(NOW - timedelta(days=30), 1, AUDIT)
LOOKED_AT = "a search looks through so many of the newest rows that its index selects"


def _records(**narrowed: Any) -> Callable[[], object]:
    return lambda: records.records_search(actor=ADMINISTRATOR, filters=RecordFilter(**narrowed))


def _people(**narrowed: Any) -> Callable[[], object]:
    return lambda: people.people_list(actor=ADMINISTRATOR, **narrowed)


SIGNED_IN = Viewer(2, session="00000000-0000-0000-0000-000000000001")  # of busy_session.sql

READS: Mapping[str, list[Read]] = {
    "people.errors_read": [Read(lambda: people.errors_read(actor=ADMINISTRATOR))],
    "people.audit_read": [
        Read(_audit()),
        Read(lambda: people.audit_read(actor=ADMINISTRATOR, before=Cursor(NOW - timedelta(days=30), 1))),
        Read(_audit(user_id=2)),
        Read(_audit(action="post.delete")),
        Read(_audit(subject="performer")),
        Read(_audit(subject="performer", subject_id=3)),
        Read(_audit(until=NOW - timedelta(days=30))),
        Read(_audit(since=NOW - timedelta(days=60), until=NOW - timedelta(days=59))),
    ],
    "site_contact.site_contact": [Read(site_contact.site_contact)],
    "site_contact.site_contact_stored": [Read(site_contact.site_contact_stored)],
    "own_account.default_avatars": [Read(own_account.default_avatars)],
    "own_account.factors_get": [Read(lambda: own_account.factors_get(user_id=LISTENER))],
    "own_account.answer_get": [
        Read(lambda: own_account.answer_get(answer_id="00000000-0000-0000-0000-000000000001", user_id=LISTENER))
    ],
    "own_account.has_password": [Read(lambda: own_account.has_password(user_id=LISTENER))],
    "own_account.address_get": [Read(lambda: own_account.address_get(user_id=LISTENER))],
    "own_account.recipients_get": [Read(lambda: own_account.recipients_get(user_ids=range(1001, 1301)))],
    "own_account.profile_get": [Read(lambda: own_account.profile_get(user_id=LISTENER))],
    "own_account.sessions_own": [Read(lambda: own_account.sessions_own(user_id=LISTENER))],
    "own_account.sessions_existing": [
        Read(lambda: own_account.sessions_existing(handles=["00000000-0000-0000-0000-000000000001"]))
    ],
    "people.audit_lines": [Read(lambda: people.audit_lines(audit_list()))],
    "records.search_text": [Read(lambda: records.search_text("listener")), Read(lambda: records.search_text("#4711"))],
    "records.records_search": [
        Read(lambda: records.records_search(actor=ADMINISTRATOR), LOOKED, LOOKED_AT),
        Read(lambda: records.records_search(actor=ADMINISTRATOR, before=str(EARLIER)), LOOKED, LOOKED_AT),
        *(
            Read(_records(**narrowed), LOOKED, LOOKED_AT)
            for narrowed in (
                {"search": SearchText("error 4711")},
                {"search": SearchText("no record has this")},
                {"user_id": 2},
                {"user_id": 2, "action": "post.delete"},
                {"subject": "performer", "search": SearchText("no record has this")},
                {"action": "post.delete", "since": NOW - timedelta(days=60)},
                {"kinds": (ERROR,), "until": NOW - timedelta(days=30)},
            )
        ),
    ],
    "people.accounts_reachable": [Read(lambda: people.accounts_reachable(user_ids=(LISTENER, ADMIN)))],
    "people.people_list": [
        *(Read(_people(which=which)) for which in PeopleFilter),
        Read(_people(before=Cursor(NOW - timedelta(days=300), 1))),
        *(Read(_people(query=query)) for query in ("listener", "Listener4711", "listener4711@", "#4711", "nobody")),
    ],
    "people.account_id_find": [
        Read(lambda: people.account_id_find(name="Listener4711")),
        Read(lambda: people.account_id_find(name="Listener4711@example.org")),
    ],
    "people.administrators": [Read(people.administrators)],
    "people.account_standing": [Read(lambda: people.account_standing(account_id=LISTENER))],
    "registrations.registration_get": [Read(lambda: registrations.registration_get(key="made-up"))],
    "sessions.account_sessions_get": [
        Read(lambda: sessions.account_sessions_get(keys=[(f"key-{n}", 1 + n) for n in range(1, 31)]))
    ],
    "own_account.administrator_is": [Read(lambda: own_account.administrator_is(user_id=LISTENER))],
    "sessions.signed_in_lately": [Read(lambda: sessions.signed_in_lately(viewer=SIGNED_IN))],
    "own_account.accounts_active": [Read(lambda: own_account.accounts_active(user_ids=range(1001, 1301)))],
    "own_account.accounts_made": [Read(lambda: own_account.accounts_made(since=NOW))],
    "own_account.accounts_younger": [
        Read(lambda: own_account.accounts_younger(seconds=86_400)),
        Read(lambda: own_account.accounts_younger(seconds=86_400, user_ids=[LISTENER])),
    ],
    "own_account.member_for": [Read(lambda: own_account.member_for(user_id=LISTENER))],
    "sessions.account_id_get": [Read(lambda: sessions.account_id_get(username="Listener4711"))],
    "sessions.username_is_taken": [Read(lambda: sessions.username_is_taken(username="Listener4711"))],
    "sessions.sessions_valid": [Read(lambda: sessions.sessions_valid(handles=(UUID(int=1), UUID(int=2))))],
    "sessions.usernames_get": [Read(lambda: sessions.usernames_get(user_ids=range(4000, 4041)))],
    "sessions.usernames_known": [
        Read(lambda: sessions.usernames_known(usernames=[f"Listener{n}" for n in range(4000, 4021)]))
    ],
    "sessions.viewer_get": [Read(lambda: sessions.viewer_get(user_id=ADMIN))],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {
    *("registrations.accounts_waiting", "registrations.is_held"),
    *("sessions.account_session_of", "sessions.viewer_of_account"),
}
