"""A mail is sent even if the process that queued it was killed."""

import time
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

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 20.0  # seconds
EMAIL = "patient@example.org"


def site(folder: Path, email_url: str) -> Server:
    """Return a web process on this test's database with this mail server."""
    address = content.address(connection.settings_dict["NAME"])
    return Server(folder, address, DEMO="", EMAIL_URL=email_url, DRAIN_SECONDS="0")


def wait_until(visitor: Visitor, done) -> None:
    """Send requests to the site until the condition is true."""
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        visitor.get("/healthz")


def test_a_mail_that_was_not_taken_goes_out_after_the_process_was_killed(tmp_path):
    account_create(email=EMAIL, password=PASSWORD, username="patient")
    first = site(tmp_path, f"smtp://127.0.0.1:{free_port()}?tls=none")
    second = site(tmp_path, f"file://{tmp_path}/mails")
    try:
        first.start()
        visitor = Visitor(first)
        visitor.get("/forgot-password")
        assert visitor.post("/forgot-password", email=EMAIL).to == "/forgot-password/sent"
        wait_until(visitor, lambda: Mail.objects.filter(recipient=EMAIL, tries__gte=1).exists())
        first.kill()
        Mail.objects.update(due_at=Now())
        second.start()
        wait_until(Visitor(second), lambda: not Mail.objects.exists())
    finally:
        first.kill()
        second.kill()
    (text_clean,) = [file.read_text() for file in (tmp_path / "mails").iterdir()]
    assert f"To: {EMAIL}" in text_clean
    assert "/reset-password?key=" in text_clean
