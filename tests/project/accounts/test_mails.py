"""A mail is sent even if the process that queued it was killed."""

from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now

from apps.accounts.models import Mail
from apps.accounts.services.accounts import account_create
from tests.e2e import content
from tests.e2e.server import Server, free_port
from tests.factories import PASSWORD
from tests.project.visitors import Visitor
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"


def site(folder: Path, email_url: str) -> Server:
    """Return a web process on this test's database with this mail server."""
    address = content.address(connection.settings_dict["NAME"])
    return Server(folder, address, DEMO="", EMAIL_URL=email_url, DRAIN_SECONDS="0")


def test_refused_mail_is_sent_by_the_next_process_after_a_kill(tmp_path):
    account_create(email=EMAIL, password=PASSWORD, username="fan")
    first = site(tmp_path, f"smtp://127.0.0.1:{free_port()}?tls=none")
    second = site(tmp_path, f"file://{tmp_path}/mails")
    try:
        first.start()
        visitor = Visitor(first)
        visitor.get("/forgot-password")
        assert visitor.post("/forgot-password", email=EMAIL).to == "/forgot-password/sent"
        wait_until(lambda: visitor.get("/healthz") and Mail.objects.filter(tries__gte=1).exists(), "the mail was tried")
        first.kill()
        Mail.objects.update(due_at=Now())
        second.start()
        visitor = Visitor(second)
        wait_until(lambda: visitor.get("/healthz") and not Mail.objects.exists(), "the mail is sent")
    finally:
        first.kill()
        second.kill()
    (text,) = [file.read_text() for file in (tmp_path / "mails").iterdir()]
    assert f"To: {EMAIL}" in text
    assert "/reset-password?key=" in text
