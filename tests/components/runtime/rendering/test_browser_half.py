"""A process recognises a page of an older release by the name of its collected files."""

import json
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage

from components.runtime.rendering import browser_half as module
from components.runtime.rendering import document
from components.runtime.rendering.browser_half import CLIENT, browser_half, is_outdated

OURS = "1763916000-bbb"


@pytest.mark.parametrize(
    ("half", "outdated"),
    [
        ("1763915000-aaa", True),
        (OURS, False),
        ("1763915000-bbb", False),  # the same files from another build
        ("1763917000-ccc", False),  # newer than this process, which will be replaced
        ("", False),  # a page without a name: of an old release, or of a site with DEBUG
    ],
)
def test_a_page_is_outdated_that_has_other_files_which_were_built_before(
    half: str, outdated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "browser_half", lambda: OURS)
    assert is_outdated(half) is outdated


def test_nothing_is_outdated_where_files_have_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "browser_half", lambda: "")
    assert not is_outdated("1763915000-aaa")


def test_the_half_is_all_collected_files_and_when_they_were_built(
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


@pytest.mark.parametrize(("half", "url"), [(OURS, f"/live/?half={OURS}"), ("", "/live/")])
def test_a_page_says_which_half_it_came_with(half: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "browser_half", lambda: half)
    assert f' data-url="{url}"' in document._client_root.__wrapped__("en")
