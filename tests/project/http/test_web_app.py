"""The manifest with its icons, the service worker, and the new address of a browser that its service worker reports."""

import json
import re
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from apps.core.threads import in_thread
from apps.notifications.models import PushSubscription
from project.http.middleware import public_origin, security_headers
from tests.apps.notifications.push_service import Browser
from tests.apps.notifications.pushing import client_of, signed_in, subscribed
from tests.factories import UserFactory
from tests.project.asking import ask
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FCM = "https://fcm.googleapis.com/fcm/send/"


@pytest.fixture
async def runs() -> AsyncIterator[None]:
    """Run the services of a web process."""
    async with serving():
        yield


def file_of(address: str) -> bytes:
    """Return the content of a static file by its address, which contains a hash of the content."""
    name = re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", address.removeprefix(settings.STATIC_URL))
    return Path(str(finders.find(name))).read_bytes()


async def test_the_manifest_makes_the_site_installable(runs: None) -> None:
    answer = await ask("/manifest.webmanifest")
    assert answer.status == 200
    assert answer.header("content-type") == "application/manifest+json"
    assert answer.header("cache-control") == "public, max-age=86400"
    assert answer.header("set-cookie") == ""
    content = json.loads(answer.text)
    assert content["name"] == content["short_name"] == "Parterre"
    assert content["start_url"] == content["scope"] == content["id"] == "/"
    assert content["display"] == "standalone"
    assert content["theme_color"] == content["background_color"] == "#6b1a1e"


async def test_the_icons_have_the_sizes_that_the_manifest_names(runs: None) -> None:
    icons = json.loads((await ask("/manifest.webmanifest")).text)["icons"]
    known = {(icon["sizes"], icon["type"], icon["purpose"]) for icon in icons}
    sizes = {(size, "image/png", purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")}
    assert known == {("any", "image/svg+xml", "any"), *sizes}
    for icon in icons:
        content = file_of(icon["src"])
        if icon["type"] == "image/svg+xml":
            assert content.startswith(b"<svg")
            continue
        picture = Image.open(BytesIO(content))
        assert (f"{picture.width}x{picture.height}", picture.format) == (icon["sizes"], "PNG")
        corner = picture.convert("RGBA").getpixel((0, 0))
        assert corner == ((107, 26, 30, 255) if icon["purpose"] == "maskable" else corner)


async def test_every_page_names_the_manifest_and_an_icon_for_the_home_screen(runs: None) -> None:
    for path in ("/", "/privacy", "/login"):
        html = (await ask(path)).text
        assert '<link rel="manifest" href="/manifest.webmanifest">' in html
        (icon,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', html)
        assert Image.open(BytesIO(file_of(icon))).size == (180, 180)


async def test_the_service_worker_may_control_all_pages_and_is_compared_at_each_visit(runs: None) -> None:
    answer = await ask("/service-worker.js")
    assert answer.status == 200
    assert answer.header("content-type") == "text/javascript; charset=utf-8"
    assert answer.header("cache-control") == "public, no-cache"
    assert answer.header("service-worker-allowed") == "/"
    assert "push" in answer.text
    assert "caches" not in answer.text
    assert '"fetch"' not in answer.text  # it answers no request
    (icon,) = re.findall(r'"(/[a-z.]+\.png)"', answer.text)
    assert (await ask(icon)).header("location").startswith("/static/icons/icon-192.")


def test_the_policy_allows_service_workers_and_the_manifest_of_this_site_only() -> None:
    policy = security_headers()["Content-Security-Policy"].split("; ")
    assert {"worker-src 'self'", "manifest-src 'self'"} <= set(policy)


def report(name: str, **changed: Any) -> dict[str, Any]:
    """Return what a browser's subscription is as JSON."""
    keys = Browser(FCM + name).keys
    content = {"endpoint": keys.pop("endpoint"), "expirationTime": None, "keys": keys}
    return {**content, **changed}


def send(client: Client, content: Any, origin: str | None = None) -> int:
    """Report a new address as the service worker does, and return the status."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    headers = {"Origin": public_origin() if origin is None else origin}
    return client.post("/push-subscription", body, content_type="application/json", headers=headers).status_code


def endpoints() -> list[str]:
    return [endpoint.removeprefix(FCM) for endpoint in PushSubscription.objects.values_list("endpoint", flat=True)]


@pytest.fixture
def client_on() -> Client:
    """A browser in which a member has turned push on."""
    return client_of(subscribed(UserFactory(), Browser(FCM + "old")))


def test_a_renewed_address_replaces_the_one_of_this_browser(client_on: Client) -> None:
    assert send(client_on, report("new")) == 204
    assert endpoints() == ["new"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://localhost"])
def test_other_sites_change_nothing(client_on: Client, origin: str) -> None:
    assert send(client_on, report("new"), origin) == 403
    assert endpoints() == ["old"]


def test_without_a_session_or_where_push_is_off_nothing_changes(client_on: Client) -> None:
    assert send(Client(), report("new")) == 403
    assert send(client_of(signed_in(UserFactory())), report("new")) == 400
    assert endpoints() == ["old"]
    assert client_on.get("/push-subscription").status_code == 405


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"[" * 5_000,
        b"{" + b" " * 5_000 + b"}",
        b"\xff\xfe",
        {},
        report("new", endpoint="https://evil.example/a"),
        report("new", endpoint=7),
        report("new", endpoint=None),
        report("new", keys=None),
        report("new", keys={}),
        report("new", keys={"p256dh": 1, "auth": 2}),
        report("new", keys=["p256dh", "auth"]),
        report("\0"),
    ],
)
def test_an_invalid_report_changes_nothing(client_on: Client, content: Any) -> None:
    assert send(client_on, content) == 400
    assert endpoints() == ["old"]


async def test_the_section_is_complete_without_scripts(runs: None) -> None:
    cookie = await in_thread(lambda: session_cookie(UserFactory()))
    html = (await ask("/following", cookie=cookie)).text
    assert "To turn them on, please allow scripts in this browser." in html
    assert "Turn off in this browser" not in html
