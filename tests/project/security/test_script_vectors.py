"""User texts are escaped: a page with 320 kinds of scripts in its texts has the same elements as one with plain words.

Each page is tested with one script in 27, different for each page. `make soak` tests all scripts on all pages.
"""

import asyncio
import json
import os
import re
from html.parser import HTMLParser
from itertools import product
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.profile import profile_update
from apps.accounts.urls import sign_in_patterns
from apps.accounts.validators import validate_username
from apps.community.models import Report
from apps.community.services.reports import report_add
from apps.live.services import comment_add
from components.runtime.hooks import PageViewConnection
from components.runtime.rendering.document import Document
from components.runtime.rendering.layout import HookConnection, first_model
from components.site import site
from tests.apps.imports.participant_files import stored
from tests.apps.live.conftest import member
from tests.components.conftest import busy_session_with
from tests.components.seen import loaded
from tests.factories import AdminFactory, BlogPostFactory, PerformanceRatingFactory, PostCommentFactory, viewer_of
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
_BEFORE = (
    "", "'", '"', "`", "\\", '">', "'>", '"/>', "-->", "]]>", "</script>", "</title>", "</textarea>", "</p></div>",
    "</template>", "\\u003c/script>",
)  # fmt: skip
_RUNS = (
    "<script>alert(1)</script>", "<ScRiPt src=//evil.example></sCrIpT>", "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'>", "<a href=javascript:alert(1)>a</a>",
    "<math><mtext><style><img src onerror=alert(1)>", "<base href=//evil.example/>", " onfocus=alert(1) autofocus x=",
    "<meta http-equiv=refresh content=0;url=//evil.example>", "<form action=//evil.example><input name=password>",
    "<!--><script>alert(1)//", "<![CDATA[<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "{{constructor.constructor('alert(1)')()}}", "${alert(1)}", "%3Cscript%3Ealert(1)%3C/script%3E",
    "\\x3cscript\\x3ealert(1)\\x3c/script\\x3e", "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "<details open ontoggle=alert(1)>",
)  # fmt: skip
TEXTS = tuple(before + runs for before, runs in product(_BEFORE, _RUNS))

_SCHEMES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)",
    "\x01javascript:alert(1)", " javascript:alert(1)", "javascript&colon;alert(1)",
    "javascript://https://a.example/%0aalert(1)", "vbscript:msgbox(1)", "data:text/html,<script>alert(1)</script>",
    "data:image/svg+xml,<svg onload=alert(1)>", "blob:https://a.example/1", "file:///etc/passwd",
    "http://a.example/a.png", "//evil.example/a.png", "\\\\evil.example\\a.png", "/\\evil.example",
    "https:evil.example", "https:/evil.example", "https:///evil.example", "view-source:https://a.example",
    "about:blank", "a.png", "?a=b", "#a", "feed:javascript:alert(1)",
)  # fmt: skip
_INSIDE = ('"', "'", "<", ">", "`", " ", "\n", "\t", "\\")
ADDRESSES = (
    *_SCHEMES,
    *(f"https://a.example/{sign}onerror={sign}alert(1){sign}.png" for sign in _INSIDE),
    *(f"https://a.example{text}" for text in _RUNS),
    *(f"https://a.example/{text}.png" for text in TEXTS[::5]),
)
PLAIN = "Plain words"
FIRST = "plain"  # a word that resembles nothing around it
STEP = 1 if os.environ.get("ALL_TEXTS") else 27  # coprime to the numbers of prefixes and scripts, so that all occur
LEADING = ("href", "src", "action", "poster", "data", "srcset", "formaction")
CALENDARS = f"webcal://{settings.PUBLIC_URL.partition('://')[2]}"
HERE = re.compile(rf"(/(?!/)|#|\?|https://|{re.escape(settings.PUBLIC_URL)}/|{re.escape(CALENDARS)}/|$)")


class Reader(HTMLParser):
    """A parsed page: its elements with the names of their attributes, its words, and the data of its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.build: list[tuple[str, tuple[str, ...]]] = []
        self.words: list[str] = []
        self.data: list[str] = []
        self.inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        names = tuple(sorted(name for name, _ in attrs))
        assert not [name for name in names if name.startswith("on") or name in ("style", "srcdoc")], (tag, attrs)
        for name, value in attrs:
            assert name not in LEADING or HERE.match(value or ""), (tag, name, value)
        # titles wrap words in a varying number of spans, and addresses in a post become links
        if (tag, names) != ("span", ("class",)) and "ugc" not in (dict(attrs).get("rel") or ""):
            self.build.append((tag, names))
        self.inside = tag

    def handle_endtag(self, _tag):
        self.inside = ""

    def handle_data(self, data):
        (self.data if self.inside == "script" else self.words).append(data)

    @property
    def text(self) -> str:
        """Return its words in one line."""
        return squeezed("".join(self.words))

    @property
    def models(self) -> str:
        """Return all texts of its data, as the browser reads them."""
        return squeezed(" ".join(_texts(json.loads(each)) for each in self.data if each.strip()))


def _texts(value) -> str:
    if isinstance(value, dict):
        return " ".join(map(_texts, value.values()))
    return " ".join(map(_texts, value)) if isinstance(value, list) else str(value)


def squeezed(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def texts(number: int) -> tuple[str, ...]:
    """Return the texts for the page with this number."""
    return TEXTS[number % STEP :: STEP]


def html_of(address, viewer) -> str:
    """Return the whole document for this viewer."""
    page, parts = loaded(address, viewer)
    connection = HookConnection({"type": "http"}, PageViewConnection(page, viewer))
    return Document(page, asyncio.run(first_model(site(), connection))).html(list(parts.values())).decode()


def put(row: Model, **columns) -> None:
    """Store the columns without validation."""
    type(row).objects.filter(pk=row.pk).update(**columns)


@pytest.fixture
def hall(db):
    """Return a function that changes all user texts of a session, its article and its comments, and their addresses."""
    busy_session = busy_session_with(2)
    place = busy_session.appearances[0]
    author, post = member(username="una_corda"), BlogPostFactory()
    comment = comment_add(actor=author, session_id=busy_session.session.pk, content=PLAIN)
    rating = PerformanceRatingFactory(appearance=place, comment=PLAIN, approved=True)
    remark = PostCommentFactory(content=PLAIN)
    hidden = PostCommentFactory(content=PLAIN, post=remark.post, user_id=author.id, is_hidden=True)
    report_add(actor=author, kind="post_comment", subject_id=remark.pk, reason="other", words=PLAIN)
    reporter, boss = member(), viewer_of(AdminFactory())
    file = stored(boss, "Zofia|Nowak|Poland|Etude in C major, Op. 10 No. 1||||")
    (row,) = file.rows.all()

    def say(vector):
        text = vector.strip()  # the database refuses text that begins or ends with a blank
        put(
            place.participant,
            first_name=f"A {text}"[:100],
            name=f"A {text} W"[:201],
            country=text[:100],
            biography=text,
        )
        put(busy_session.session, title=text, description=text)
        put(busy_session.session.stage, name=text[:100])
        put(post, title=text, excerpt=text, content=text)
        put(comment, content=text)
        put(rating, comment=text)
        put(remark, content=text)
        put(remark.post, content=text)
        put(hidden, content=text)
        put(Report.objects.get(), words=text)
        pieces = [row.pieces[0] | {"name": text, "opus": ""}]
        put(row, first_name=f"A {text}"[:100], last_name=text[:100], country=text[:100], pieces=pieces)
        put(file, file_name=text[:200])

    addresses = (
        f"/sessions/{busy_session.session.pk}",
        f"/participants/{place.participant_id}",
        f"/news/{post.pk}",
        f"/community?post={remark.post_id}",
    )
    lists = ("/", "/sessions", "/participants", "/news", "/community")
    alone = (  # pages of one viewer
        (f"/community/report?thing=post_comment:{remark.pk}", reporter),
        ("/admin?tab=reports", boss),
        ("/admin/import", boss),
        ("/profile", author),
    )
    return say, [*((address, author) for address in (*addresses, *lists)), *alone]


def test_there_are_enough_of_them():
    assert len(set(TEXTS)) == len(TEXTS) >= 200
    assert len(set(ADDRESSES)) == len(ADDRESSES) >= 100


def test_whatever_people_write_is_read_as_they_wrote_it(hall):
    say, addresses = hall
    assert len(addresses) == 13

    def check(case):
        number, (address, viewer) = case
        say(PLAIN)
        plain = Reader(html_of(address, viewer))
        assert PLAIN in plain.text
        for vector in texts(number):
            say(vector)
            seen = Reader(html_of(address, viewer))
            assert seen.build == plain.build, vector
            assert squeezed(vector)[:90] in seen.text, vector
            assert squeezed(vector)[:90] in seen.models, vector

    check_each(enumerate(addresses), check)


def test_whatever_an_address_asks_for_is_no_markup(hall):
    viewer = hall[1][0][1]
    names = ("q", "filter", "page", "post", "by", "before")

    def check(case):
        number, path = case
        plain = Reader(html_of(f"{path}?{urlencode(dict.fromkeys(names, FIRST))}", viewer))
        for vector in texts(number):
            seen = Reader(html_of(f"{path}?{urlencode(dict.fromkeys(names, vector), quote_via=quote)}", viewer))
            assert seen.build == plain.build, vector

    check_each(enumerate(["/participants", "/sessions", "/news", "/community"]), check)


def test_no_username_is_a_script():
    for vector in TEXTS:
        with pytest.raises(ValidationError):
            validate_username(vector)


def test_forms_give_back_what_was_typed_as_text():
    client = Client()

    def answer(text):
        form = {"email": f"{text}", "username": text, "password1": "", "login": text, "remember": text, "next": text}
        return Reader(client.post("/register", form).content.decode())

    plain = answer("4 words")
    for vector in texts(0):
        assert answer(vector).build == plain.build, vector


DOORS = [f"/{each.pattern}" for each in sign_in_patterns if "<" not in str(each.pattern)]


def test_doors_show_nothing_of_their_addresses():
    names = ("next", "error", "error_description", "key", "token", "answer", "message")

    def opened(path, text):
        response = Client().get(path, dict.fromkeys(names, text))
        assert not re.search(r"[<>\"\s]", response.headers.get("Location", ""))
        assert not re.search(r"[<>\"]", response.headers.get("Refresh", ""))
        return Reader(response.content.decode()).build

    def check(case):
        number, path = case
        plain = opened(path, FIRST)
        for vector in texts(number):
            assert opened(path, vector) == plain, vector

    check_each(enumerate(DOORS), check)


def test_no_picture_is_a_script(hall):
    address, author = hall[1][0]
    shown = Reader(html_of(address, author)).build
    stored = 0
    for vector in ADDRESSES:
        try:
            profile_update(actor=author, username="una_corda", avatar_url=vector)
        except ValidationError:
            continue
        stored += 1
        assert vector.strip().startswith("https://"), vector
        html = html_of(address, viewer_of(User.objects.get(pk=author.id)))
        assert [tag for tag, _ in Reader(html).build if tag == "script"] == [tag for tag, _ in shown if tag == "script"]
    assert 0 < stored < len(ADDRESSES) / 2
