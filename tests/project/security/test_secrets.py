"""Tests that passwords, addresses and session keys do not leak into the database, logs, events or pages."""

import json
from dataclasses import dataclass, field

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg import sql

from apps.accounts.mail import PASSWORD_RESET, link_create
from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_create
from apps.accounts.session_store import SessionStore
from apps.core.bus.topics import CHANNEL, TOPIC
from tests.apps.conftest import Listener
from tests.e2e import content
from tests.e2e.server import Server, free_port
from tests.project.security.trying import TABLES
from tests.project.visitors import Visitor

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESSES = {  # columns where addresses of accounts must be stored
    ("users", "email"),
    ("account_emailaddress", "email"),
    ("one_time_links", "email"),  # for a day
    ("mails", "recipient"),  # until the mail server accepts them, which it never does in this test
    ("auth_sessions", "data"),  # allauth stores the login address; deleting the account deletes the session
}
KEYS = {("auth_sessions", "key")}  # columns where the key of a session must be stored


@dataclass
class Secrets:
    """The passwords and addresses that the test types into forms, by name."""

    passwords: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)

    def password(self, name: str) -> str:
        """Return a unique password for this name."""
        return self.passwords.setdefault(name, f"Pw-{name}-7f3a91c4")

    def address(self, name: str) -> str:
        """Return a unique address for this name."""
        return self.addresses.setdefault(name, f"{name}-8c2e5b@secret-mail.example")


def cells() -> list[tuple[str, str, str]]:
    """Return every cell of the database as (table, column, text), with the data of sessions decoded too."""
    values = []
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        for (name,) in cursor.fetchall():
            cursor.execute(sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(name)))
            for (row,) in cursor.fetchall():
                values += [(name, column, json.dumps(value)) for column, value in json.loads(row).items()]
    sessions = AuthSession.objects.values_list("data", flat=True)
    return values + [("auth_sessions", "data", json.dumps(SessionStore().decode(data))) for data in sessions]


def columns_with(secret: str, everything: list[tuple[str, str, str]]) -> set[tuple[str, str]]:
    """Return the columns that contain this secret, ignoring case."""
    return {(name, column) for name, column, text in everything if secret.lower() in text.lower()}


def register(visitor: Visitor, secrets: Secrets) -> None:
    """Register with wrong values, with valid ones, and again with a known address."""
    visitor.get("/register")
    email, name = secrets.address("register"), "newcomer"
    visitor.post("/register", email="no address", username=name, password1=secrets.password("malformed"))
    visitor.post("/register", email=email, username="n", password1=secrets.password("register-wrong"))
    assert visitor.post("/register", email=email, username=name, password1=secrets.password("register")).status == 302
    visitor.post("/register", email=email, username="newcomer2", password1=secrets.password("register-again"))
    visitor.sign_in(email, secrets.password("register"))  # not confirmed yet
    visitor.get("/verify-email?key=not-a-key-5d1e")
    visitor.post("/verify-email/send", email=secrets.address("verify-unknown"))


def sign_in(visitor: Visitor, secrets: Secrets, user: User) -> None:
    """Fail to sign in, and request links."""
    visitor.get("/login?next=/profile&token=query-secret-4b8d")
    visitor.sign_in(user.email, secrets.password("login-wrong"))
    visitor.sign_in(secrets.address("login-unknown"), secrets.password("login-unknown"))
    visitor.sign_in(secrets.password("typed-as-address"), secrets.password("login-malformed"))
    visitor.post("/login", login=user.email, password=secrets.password("forged"), csrfmiddlewaretoken="no")
    visitor.post("/forgot-password", email=secrets.address("forgot-unknown"))
    visitor.post("/forgot-password", email=user.email)


def reset(visitor: Visitor, secrets: Secrets, user: User) -> str:
    """Set a new password after a failed attempt, and return the key of the link."""
    key = link_create(purpose=PASSWORD_RESET, account_id=user.pk)
    visitor.get("/reset-password?access_token=query-secret-4b8d&refresh_token=query-secret-4b8d")
    assert visitor.get(f"/reset-password?key={key}").to == "/reset-password"
    visitor.get("/reset-password")
    first, second = secrets.password("reset-one"), secrets.password("reset-two")
    assert visitor.post("/reset-password", password1=first, password2=second).status == 200
    new = secrets.password("reset")
    assert visitor.post("/reset-password", password1=new, password2=new).to == "/reset-password/done"
    return key


def profile(visitor: Visitor, secrets: Secrets, user: User) -> None:
    """Sign in, change the settings, fail to confirm the password, and fail to delete the account."""
    visitor.get("/login")
    seen = visitor.sign_in(user.email, secrets.password("reset"))
    assert seen.to == "/", seen.text
    visitor.get("/forgot-password")  # a fresh CSRF token
    one, two, new = secrets.password("profile-one"), secrets.password("profile-two"), secrets.password("profile")
    for password1, password2, avatar in ((one, two, ""), (new, new, "http://no.example/a.png"), (new, new, "")):
        form = {"username": "tamara", "avatar_url": avatar, "password1": password1, "password2": password2}
        place = visitor.post("/profile/settings", **form).to
        assert place.startswith("/profile?answer=")
        visitor.get(place.partition("#")[0])
    visitor.get("/reauthenticate")
    visitor.post("/reauthenticate", password=secrets.password("reauthenticate"))
    visitor.post("/profile/delete", password=secrets.password("delete"))


def report(visitor: Visitor, secrets: Secrets, server: Server) -> None:
    """Send a browser error report that contains an address and passwords."""
    text = f"for {secrets.address('report')} at /login?password={secrets.password('report')}"
    fault = {"kind": "error", "message": text, "stack": f"password={secrets.password('stack')}", "page": "/login?x=1"}
    visitor.headers["Origin"] = server.address
    assert visitor._ask("POST", "/error-log", json.dumps(fault)).status == 204


@pytest.fixture
def topics_published():
    """Yield a function that returns the topics published by every process."""
    address = content.address(connection.settings_dict["NAME"])
    with psycopg.connect(address, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        yield Listener(listener).heard


def test_typed_passwords_and_addresses_are_stored_only_where_allowed(tmp_path, topics_published):
    secrets = Secrets()
    user = account_create(email=secrets.address("known"), password=secrets.password("first"), username="tamara")
    unreachable = f"smtp://mailer:{secrets.password('mailer')}@127.0.0.1:{free_port()}?tls=none"  # every mail fails
    address = content.address(connection.settings_dict["NAME"])
    server = Server(tmp_path, address, DEMO="", EMAIL_URL=unreachable, DRAIN_SECONDS="0")
    server.start()
    try:
        register(Visitor(server), secrets)
        sign_in(Visitor(server), secrets, user)
        key = reset(Visitor(server), secrets, user)
        own = Visitor(server)
        profile(own, secrets, user)
        report(own, secrets, server)
        link_create(purpose=PASSWORD_RESET, account_id=user.pk, email=user.email)  # the new password ended the former
        everything = [cell for cell in cells() if cell[0] != "mails"]  # addresses of waiting mails are looked up later
        cookies = [cookie.value for cookie in own.cookies.values() if len(cookie.value) > 20]
        assert server.stop() == 0
    finally:
        server.kill()
    log, session = server.said(), own.cookies[settings.SESSION_COOKIE_NAME].value
    everything += [cell for cell in cells() if cell not in everything]

    for name, password in secrets.passwords.items():
        assert columns_with(password, everything) == set(), name
        assert password not in log, name
    for name, email in secrets.addresses.items():
        assert columns_with(email, everything) == (ADDRESSES if name in ("known", "register") else set()), name
        assert email not in log, name
    assert columns_with(session, everything) == KEYS
    assert columns_with(key, everything) == set()
    for secret in (session, key, "query-secret-4b8d", "not-a-key-5d1e", settings.SECRET_KEY, *cookies):
        assert secret not in log, secret
    assert "secret-mail" not in log
    assert "a mail could not be sent" in log  # the worst case was tested
    topics = topics_published()
    assert f"account.{user.pk}" in topics
    assert all(TOPIC.fullmatch(topic) for topic in topics), topics
