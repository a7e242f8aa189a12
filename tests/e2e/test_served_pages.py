"""Every page as the server sends it: HTML, styles, few bytes, links that answer, marked names, and what Enter presses.

All tests ask the same pages, which are fetched once.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from apps.accounts.models import User
from apps.competition.enums import SPECIFIED
from apps.competition.models import Participant
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.places import MISSING, PUBLIC, SHARED, STATUS
from tests.e2e.served import PAGES, VISITOR, Served, ServedPages
from tests.entering import enter_faults
from tests.html_checker import LEFT_OUT, has_java, html_faults
from tests.reading import Node, document

CSS = Path(__file__).parents[2] / "components/static/css"
IMPORT = re.compile(r'@import "(?P<file>[^"]+)" layer')
BESIDE = {"print.css", "forced_colors.css"}  # they only change blocks that others define
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTOR = re.compile(r"([^{};]*)\{")
CLASS = re.compile(r"\.([a-z][\w-]*)")
WORN = re.compile(r'\bclass="([^"]*)"')
SHEET = re.compile(r"/static/build/([a-z]+)\b[^/]*\.css$")
EVERYWHERE = "parterre"

KIB = 1024
LIVE = "/sessions/{live}"
SESSIONS = "/sessions/{"
LIMIT = 124 * KIB
SESSION_LIMIT = 157 * KIB  # the live page of all, and every session's page of a member, with all its forms of marks
OWN = 12 * KIB  # what a member's other pages may have more than LIMIT: their own text is not compressed (BREACH)

DOORS = ("/login", "/register")  # a signed-in user is redirected
LEADING = ("/ranking",)  # redirect to another page
OWN_PAGES = "/profile/"  # some pages below it require the password again
NUMBER = re.compile(r"(?<=/)\d+|(?<==)\d[^&]*|(?<=%3A)\d[^&]*")
ENOUGH = 100  # kinds of addresses; fewer mean that links were not found

needs_java = pytest.mark.skipif(not has_java(), reason=LEFT_OUT)


@pytest.fixture(scope="module")
def pages(whole_site: Site) -> ServedPages:
    """Return the pages of all viewers, each fetched when it is first asked for."""
    return ServedPages(whole_site)


@needs_java
async def test_html_checker_finds_faults() -> None:
    page = '<!doctype html><html lang="en"><title>Hall</title><body>{}</body></html>'
    assert html_faults(page.format("<p>Sound</p>")) == ""
    assert "details" in html_faults(page.format("<span><details><summary>Show</summary></details></span>"))
    assert "aria-label" in html_faults(page.format('<div aria-label="Stage">Now</div>'))


@needs_java
@pytest.mark.parametrize("viewer", PAGES)
async def test_every_page_is_valid_html(viewer: str, site: Site, pages: ServedPages) -> None:
    found = []
    for pattern, page in pages.of(viewer).items():
        if faults := await asyncio.to_thread(html_faults, page.text):
            found.append(f"{pattern}\n{faults}")
        if page.status != STATUS.get(pattern, 200):
            found.append(f"{pattern}: status {page.status}")
    assert "\n".join(found) == ""


def classes(bundle: Path) -> set[str]:
    """Return the classes that this bundle's blocks define."""
    sources = (CSS / found["file"] for found in IMPORT.finditer(bundle.read_text()))
    texts = [COMMENT.sub("", source.read_text()) for source in sources if source.name not in BESIDE]
    return {name for text in texts for selector in SELECTOR.findall(text) for name in CLASS.findall(selector)}


def sheets(page: Served) -> set[str]:
    """Return the names of the style sheets that this page links."""
    return {found[1] for file in page.files if (found := SHEET.search(file))}


async def test_page_links_the_style_sheets_of_its_classes(site: Site, pages: ServedPages) -> None:
    defined = {bundle.stem: classes(bundle) for bundle in CSS.glob("*.css")}
    some = {bundle: names - defined[EVERYWHERE] for bundle, names in defined.items() if bundle != EVERYWHERE}
    assert "door" in some["home"], "the bundles are read"
    assert "keys" in defined[EVERYWHERE]
    bare: dict[tuple[str, str], list[str]] = {}
    for viewer in PAGES:
        for pattern, page in pages.of(viewer).items():
            worn = {each for text in WORN.findall(page.text) for each in text.split()}
            assert EVERYWHERE in sheets(page)
            styled = set().union(*(some[bundle] for bundle in sheets(page) - {EVERYWHERE}))
            if missing := worn & set().union(*some.values()) - styled:
                bare[viewer, pattern] = sorted(missing)
    assert not bare


async def test_public_pages_do_not_load_the_styles_of_administration(site: Site, pages: ServedPages) -> None:
    visited = pages.of(VISITOR)
    assert {pattern: sheets(visited[pattern]) for pattern in ("/", LIVE, "/login")} == {
        "/": {"parterre", "home"},
        LIVE: {"parterre", "video", "session"},
        "/login": {"parterre", "backstage"},
    }


def limit(pattern: str, *, member: bool) -> int:
    """Return how many bytes a first visit of this page may transfer."""
    if pattern == LIVE or (member and pattern.startswith(SESSIONS)):
        return SESSION_LIMIT
    return LIMIT + (OWN if member else 0)


@pytest.mark.parametrize("viewer", [VISITOR, LISTENER], ids=["visitor", "member"])
async def test_no_public_page_is_heavy(viewer: str, site: Site, pages: ServedPages) -> None:
    heavy: list[str] = []
    loaded: set[str] = set()
    for pattern in PUBLIC if viewer == VISITOR else (*SHARED, *MISSING):
        page = pages.get(site.appearances.at(pattern), viewer)
        sizes = {"HTML": page.size} | {file.rpartition("/")[2]: pages.get(file).size for file in page.files}
        loaded |= sizes.keys()
        total, most = sum(sizes.values()), limit(pattern, member=bool(viewer))
        if total > most:
            heavy.append(f"{pattern}: {total} bytes of {most}: {sizes}")
    assert not heavy, "\n".join(heavy)
    for kind in ("client.", "parterre.", "home.", "video.", "session.", "stages.", "serif.", "score.", "video-player."):
        assert any(file.startswith(kind) for file in loaded), f"no page was found to load {kind}: {loaded}"


@pytest.mark.limit(300, reason="requests every kind of address of the site")
async def test_every_link_answers(site: Site, pages: ServedPages) -> None:
    visited = pages.of(ADMINISTRATOR)
    wrong, seen = [], {NUMBER.sub("0", site.appearances.at(pattern)) for pattern in visited}
    waiting = [link for page in visited.values() for link in page.links()]
    while waiting:
        path = waiting.pop()
        kind = NUMBER.sub("0", path)  # thousands of addresses differ only in their numbers
        if kind in seen:
            continue
        seen.add(kind)
        answer = pages.get(path, ADMINISTRATOR)
        asks_first = path.startswith(OWN_PAGES) and "/reauthenticate" in answer.location
        led_on = path.partition("?")[0] in (*DOORS, *LEADING) or asks_first
        if answer.status != (302 if led_on else 200):
            wrong.append(f"{path}: {answer.status}")
        if answer.kind.startswith("text/html"):
            waiting += answer.links()
    assert not wrong
    assert len(seen) > ENOUGH


# Classes of texts that people wrote. Their language is not known, and a translation may be welcome.
WRITTEN = {"prose", "says__text", "queue__words", "cards__bio", "entries__text", "post__text", "field__hint"}
MARKED = ("translate", "lang")  # attributes that the elements inside have as well


def texts(node: Node, marks: Mapping[str, str] | None = None) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield every text of a tree, without those that people wrote, with the marks of the elements around it."""
    if isinstance(node, str):
        yield " ".join(node.split()), marks or {}
        return
    own = node["attributes"]
    if node["tagName"] in ("style", "textarea") or WRITTEN & set(own.get("class", "").split()):
        return
    here = {**(marks or {}), **{name: own[name] for name in MARKED if name in own}}
    for child in node.get("children", ()):
        yield from texts(child, here)


def names_find() -> tuple[set[str], set[str]]:
    """Return the names of all performers, and the usernames."""
    return set(Participant.objects.values_list("name", flat=True)), set(User.objects.values_list("username", flat=True))


async def test_names_and_category_labels_are_marked_for_translators_and_screen_readers(
    site: Site, pages: ServedPages
) -> None:
    performers, usernames = site.desk.do(names_find)
    name = re.compile("|".join(map(re.escape, sorted(performers, key=len, reverse=True))))
    labels = {str(each.label) for each in SPECIFIED} - {"Scherzo"}  # which is the English title of a piece as well
    found = {"name": 0, "label": 0}
    wrong: dict[str, str] = {}
    for viewer in PAGES:
        for pattern, page in pages.of(viewer).items():
            for text, marks in texts(document(page.text, pattern)):
                is_label = text in labels
                if not is_label and text.removeprefix("@") not in usernames and not name.search(text):
                    continue
                found["label" if is_label else "name"] += 1
                if marks.get("translate") != "no" or (is_label and marks.get("lang") != "pl"):
                    wrong[text] = pattern
    assert not wrong
    assert found["name"] > ENOUGH / 4
    assert found["label"] >= len(labels) * 3  # in the catalogue, in a choice, and in a program


async def test_enter_presses_the_button_beside_the_field(site: Site, pages: ServedPages) -> None:
    trees = {(viewer, path): document(page.text, path) for viewer in PAGES for path, page in pages.of(viewer).items()}
    found = {place: faults for place, tree in trees.items() if (faults := enter_faults(tree))}
    assert not found
