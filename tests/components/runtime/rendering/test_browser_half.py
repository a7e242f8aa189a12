"""A process recognises a page of an older release by the name of its collected files."""

import json
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from components.runtime.rendering import browser_half as module
from components.runtime.rendering import document
from components.runtime.rendering.browser_half import CLIENT, browser_half, is_outdated

CURRENT = "1763916000-bbb"


def test_page_with_other_and_older_files_is_outdated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "browser_half", lambda: CURRENT)
    outdated = {
        "1763915000-aaa": True,
        CURRENT: False,
        "1763915000-bbb": False,  # the same files from another build
        "1763917000-ccc": False,  # newer than this process, which will be replaced
        "": False,  # a page without a name: of an old release, or of a site with DEBUG
    }
    assert {half: is_outdated(half) for half in outdated} == outdated
    monkeypatch.setattr(module, "browser_half", lambda: "")
    assert not is_outdated("1763915000-aaa"), "files have no names"


def test_half_is_the_hash_of_collected_files_and_their_build_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    manifest = {"version": "1.1", "paths": {"a.css": "a.1.css"}, "hash": "9f2c04d1a3b5"}
    (tmp_path / "staticfiles.json").write_text(json.dumps(manifest))
    monkeypatch.setattr(module, "staticfiles_storage", ManifestStaticFilesStorage(location=tmp_path))
    built, name = browser_half.__wrapped__().split("-")
    assert name == "9f2c04d1a3b5"
    assert int(built) == round(Path(str(finders.find(CLIENT))).stat().st_mtime)
    settings.DEBUG = True  # type: ignore[attr-defined]  # pytest-django's
    assert browser_half.__wrapped__() == ""


def test_page_has_its_half_in_the_address_of_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    for half, url in ((CURRENT, f"/live/?half={CURRENT}"), ("", "/live/")):
        monkeypatch.setattr(document, "browser_half", lambda half=half: half)
        assert f' data-url="{url}"' in document._client_root.__wrapped__("en")
