"""The manifest with its icons, the service worker, and the new address of a browser that its service worker reports."""

import json
import re
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
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FCM = "https://fcm.googleapis.com/fcm/send/"


def file_of(address: str) -> bytes:
    """Return the content of a static file by its address, which contains a hash of the content."""
    name = re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", address.removeprefix(settings.STATIC_URL))
    return Path(str(finders.find(name))).read_bytes()


async def test_manifest_makes_the_site_installable_and_icons_have_its_sizes(process_runs: None) -> None:
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
    known = {(icon["sizes"], icon["type"], icon["purpose"]) for icon in content["icons"]}
    sizes = {(size, "image/png", purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")}
    assert known == {("any", "image/svg+xml", "any"), *sizes}
    for icon in content["icons"]:
        file = file_of(icon["src"])
        if icon["type"] == "image/svg+xml":
            assert file.startswith(b"<svg")
            continue
        picture = Image.open(BytesIO(file))
        assert (f"{picture.width}x{picture.height}", picture.format) == (icon["sizes"], "PNG")
        corner = picture.convert("RGBA").getpixel((0, 0))
        assert corner == ((107, 26, 30, 255) if icon["purpose"] == "maskable" else corner)


async def test_pages_link_the_manifest_and_an_icon(process_runs: None) -> None:
    for path in ("/", "/privacy", "/login"):
        html = (await ask(path)).text
        assert '<link rel="manifest" href="/manifest.webmanifest">' in html
        (icon,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', html)
        assert Image.open(BytesIO(file_of(icon))).size == (180, 180)


async def test_service_worker_controls_all_pages_and_is_revalidated(process_runs: None) -> None:
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


def test_policy_allows_only_own_service_workers_and_manifest() -> None:
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


def test_new_address_replaces_the_old_one(client_on: Client) -> None:
    assert send(client_on, report("new")) == 204
    assert endpoints() == ["new"]


def test_report_requires_a_session_with_push(client_on: Client) -> None:
    assert send(Client(), report("new")) == 403
    assert send(client_of(signed_in(UserFactory())), report("new")) == 400
    assert endpoints() == ["old"]
    assert client_on.get("/push-subscription").status_code == 405


INVALID = [
    *(b"", b"{", b"[]", b"null", b'"text"', b"[" * 5_000, b"{" + b" " * 5_000 + b"}", b"\xff\xfe", {}),
    *(report("new", endpoint=endpoint) for endpoint in ("https://evil.example/a", 7, None)),
    *(report("new", keys=keys) for keys in (None, {}, {"p256dh": 1, "auth": 2}, ["p256dh", "auth"])),
    report("\0"),
]


def test_invalid_or_forged_report_changes_no_address(client_on: Client) -> None:
    assert [content for content in INVALID if send(client_on, content) != 400] == []
    for origin in ("https://evil.example", "null", "", "http://localhost"):
        assert send(client_on, report("new"), origin) == 403, origin
    assert endpoints() == ["old"]


async def test_push_section_without_scripts_explains_itself(process_runs: None) -> None:
    cookie = await in_thread(lambda: session_cookie(UserFactory()))
    html = (await ask("/following", cookie=cookie)).text
    assert "To turn them on, please allow scripts in this browser." in html
    assert "Turn off in this browser" not in html
