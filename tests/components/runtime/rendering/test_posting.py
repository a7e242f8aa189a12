"""Hidden fields that the document adds to command forms for posts without scripts: React keeps them at hydration."""

import re
from typing import Any

import pytest

from components.runtime.commands import command_button, command_form, posted_form
from components.runtime.markup import html
from components.runtime.page import Page
from components.runtime.rendering.document import Document
from components.runtime.rendering.posting import posting
from components.runtime.rendering.serializer import pieces, pieces_join, static_model
from components.runtime.rendering.tree import plain_tree
from tests.components.runtime.rendering.conftest import Browser
from tests.rendering import to_html

FORMS = (
    html.form(
        command_form("comment_add", 7, draft="comment:7"), html.textarea({"name": "content"}), html.button("Say")
    ),
    html.form(posted_form("comment_delete", 7), html.input({"type": "hidden", "name": "sure", "value": "1"})),
    html.form(command_form("piece_add"), "Words", html.input({"name": "name"})),
    html.form(command_form("piece_add")),
)


@pytest.mark.parametrize("form", FORMS)
def test_react_hydrates_forms_with_hidden_fields(browser: Browser, form: Any) -> None:
    model = static_model(plain_tree(html.div(form, html.p("below"))))
    page = browser("page", model=model, html=to_html(model))
    assert page["got"] == page["wanted"], page["react"]
    posted = pieces_join(pieces(model), {}, lambda _: "", posting("/sessions/7?watch=1&x", "token"))
    assert browser("page", model=model, html=posted)["problems"] == []
    assert posted.index('name="csrfmiddlewaretoken" value="token"') < posted.index("</form>")
    assert 'name="from" value="/sessions/7?watch=1&amp;x"' in posted
    without = re.sub(r'<input type="hidden" name="from".*?(?=</form>)', "", posted, count=1)
    assert without == pieces_join(pieces(model), {}, lambda _: "")


def test_page_has_one_key_and_none_for_anonymous_visitors() -> None:
    model: Any = plain_tree(html.main(*FORMS, html.button(command_button("comment_delete", "12&x"), "Delete")))
    document = Document(Page("", None, title="House", address="/sessions/7"), model)  # type: ignore[arg-type]
    own, again = document.html([], "token").decode(), document.html([], "token").decode()
    keys = re.findall(r'name="key" value="(\w{32})"', own)
    assert (len(keys), len(set(keys))) == (len(FORMS) + 1, 1)
    assert keys[0] not in again
    assert re.search(r'<button[^>]* form="do"[^>]* formAction="/do/comment_delete\?argument=12%26x"', own)
    assert re.search(r'</div><script.*<form id="do" method="post" hidden data-once>', own), "outside the client's tree"
    anonymous = document.html([]).decode()
    assert 'name="from" value="/sessions/7"' in anonymous
    assert not re.search("csrfmiddlewaretoken|name=.key", anonymous)
