"""Static files: names, compressed forms, and cache headers."""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import brotli
import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import override_settings
from pytest_django.fixtures import Settings

from project.server import static_files

STYLE = "body { color: black; background: url(seat.svg) }\n" + "p { margin: 0 }\n" * 200
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"/>\n'


class Response:
    """The response of the application."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        start, body = messages
        self.status: int = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        self.body: bytes = body["body"]


async def ask(path: str, *, method: str = "GET", **headers: str) -> Response:
    """Send one request to the application."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("static files read no body")

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await static_files.static_app({"type": "http", "method": method, "path": path, "headers": raw}, receive, send)
    return Response(sent)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sources, a stylesheet that refers to a picture, and the collected files."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "sources" / "demo").mkdir(parents=True)
    (folder / "sources" / "demo" / "seat.svg").write_text(PICTURE)
    (folder / "sources" / "demo" / "site.css").write_text(STYLE)
    with override_settings(**of_folder(folder)):
        static_files.finders.get_finder.cache_clear()
        static_files.collect()
    return folder


def of_folder(folder: Path) -> dict[str, Any]:
    """Return the settings for the files of this folder only: those of the site take three seconds."""
    storage = {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"}
    return {
        "STATICFILES_DIRS": [folder / "sources"],
        "STATICFILES_FINDERS": ["django.contrib.staticfiles.finders.FileSystemFinder"],
        "STATIC_ROOT": folder / "collected",
        "STORAGES": {**django_settings.STORAGES, "staticfiles": storage},
    }


@pytest.fixture
def site(settings: Settings, collected: Path, tmp_path: Path) -> Iterator[Path]:
    """Collect the files in a temporary folder, and return its sources."""
    copytree(collected, tmp_path, dirs_exist_ok=True)
    for name, value in of_folder(tmp_path).items():
        setattr(settings, name, value)
    static_files.finders.get_finder.cache_clear()
    static_files.assets.cache_clear()
    static_files.collect()
    yield tmp_path / "sources"
    static_files.finders.get_finder.cache_clear()
    static_files.assets.cache_clear()


async def test_hashed_name_is_immutable_and_refers_to_hashed_names(site: Path) -> None:
    address = staticfiles_storage.url("demo/site.css")
    assert address != "/static/demo/site.css"
    response = await ask(address)
    assert response.status == 200
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"] == "text/css; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-length"] == str(len(response.body))
    picture = Path(staticfiles_storage.url("demo/seat.svg")).name
    assert f'url("{picture}")' in response.body.decode()


async def test_plain_name_is_cached_briefly(site: Path) -> None:
    response = await ask("/static/demo/seat.svg")
    assert (response.status, response.body.decode()) == (200, PICTURE)
    assert response.headers["cache-control"] == "public, max-age=300"
    assert response.headers["content-type"] == "image/svg+xml"


CODINGS = {
    "gzip, deflate, br, zstd": "br",
    "gzip": "gzip",
    "br;q=0.5, GZIP ; q=1.0": "br",  # the smaller form wins if both are accepted
    "br;q=0, gzip": "gzip",
    "br ; q=0.000, gzip;q=0.001": "gzip",
    "*": "br",
    "*, br;q=0": "gzip",
    "": "",
    "deflate": "",
    "gzip;q=0": "",
    "gzip;q=0.0, br;q=0.00": "",
    "br, *;q=0": "br",
    "*;q=0": "",
    "identity": "",
}
UNPACK: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}


async def test_compression_follows_accept_encoding(site: Path) -> None:
    plain = await ask("/static/demo/site.css")
    for accepted, coding in CODINGS.items():
        response = await ask("/static/demo/site.css", accept_encoding=accepted)
        assert response.headers.get("content-encoding", "") == coding, accepted
        assert UNPACK[coding](response.body) == plain.body, accepted
        assert response.headers["content-length"] == str(len(response.body)), accepted
        assert response.headers["vary"] == "accept-encoding", accepted
        etag = plain.headers["etag"]
        assert response.headers["etag"] == (f'{etag[:-1]}-{coding}"' if coding else etag), accepted


async def test_known_etag_is_answered_with_304(site: Path) -> None:
    for accepted in ("br", "gzip", "identity"):
        first = await ask("/static/demo/site.css", accept_encoding=accepted)
        tag = first.headers["etag"]
        for named in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            repeated = await ask("/static/demo/site.css", accept_encoding=accepted, if_none_match=named)
            assert (repeated.status, repeated.body) == (304, b"")
            assert repeated.headers["etag"] == tag
    assert (await ask("/static/demo/site.css", if_none_match='"other"')).status == 200


async def test_head_has_the_headers_without_the_body(site: Path) -> None:
    full = await ask("/static/demo/site.css")
    head = await ask("/static/demo/site.css", method="HEAD")
    assert (head.status, head.headers, head.body) == (200, full.headers, b"")


async def test_missing_file_is_a_404(site: Path, settings: Settings) -> None:
    names = ("missing.css", "", "demo", "../settings.py", "demo/../../secret-key", "staticfiles.json")
    for settings.DEBUG in (False, True):
        for name in names:
            response = await ask(f"/static/{name}")
            assert (response.status, response.headers["cache-control"]) == (404, "no-cache"), name
            assert response.body == b"Not found.\n", name


async def test_hash_of_another_version_gets_the_present_file_uncached(site: Path) -> None:
    hashed = staticfiles_storage.url("demo/site.css")
    present = await ask(hashed)
    digest = hashed.split(".")[-2]
    assert len(digest) == static_files.HASH
    other = await ask(hashed.replace(digest, "0123456789ab"), accept_encoding="br")
    assert (other.status, other.headers["cache-control"]) == (200, "no-cache")
    assert brotli.decompress(other.body) == present.body
    assert "immutable" in (await ask(hashed)).headers["cache-control"]
    for name in ("demo/other.0123456789ab.css", "demo/site.0123.css", "demo/site.0123456789ab.js", ".0123456789ab.css"):
        assert (await ask(f"/static/{name}")).status == 404


async def test_post_is_refused(site: Path) -> None:
    response = await ask("/static/demo/site.css", method="POST")
    assert (response.status, response.headers["allow"]) == (405, "GET, HEAD")


async def test_debug_serves_the_current_sources(site: Path, settings: Settings) -> None:
    settings.DEBUG = True
    (site / "demo" / "seat.svg").write_text("<svg/>")
    response = await ask("/static/demo/seat.svg")
    assert (response.body, response.headers["cache-control"]) == (b"<svg/>", "no-cache")


def picture_change(site: Path) -> None:
    (site / "demo" / "seat.svg").write_text("<svg></svg>")
    later = site.stat().st_mtime + 5  # collectstatic compares whole seconds
    os.utime(site / "demo" / "seat.svg", (later, later))


async def test_files_are_collected_only_after_a_change_and_without_the_font_for_drawing(site: Path) -> None:
    before = staticfiles_storage.url("demo/seat.svg")
    assert static_files.collect() is False
    assert staticfiles_storage.url("demo/seat.svg") == before
    picture_change(site)
    (site / "demo" / "serif.ttf").write_bytes(b"outlines")
    assert static_files.collect() is True
    assert staticfiles_storage.url("demo/seat.svg") != before
    assert static_files.assets()["demo/seat.svg"].content == b"<svg></svg>"
    assert (await ask("/static/demo/serif.ttf")).status == 404
