"""Small blocks for all pages: badges, buttons, links, tabs, prose, pictures, ordinal numbers, QR codes."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from apps.core.database.paging import KeysetPage
from apps.core.text_rules import text_links
from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, html

Links = tuple[tuple[str, str], ...]  # addresses and words


def badge(words: str, look: str = "") -> VdomDict:
    """Return a small label; `look` is "now", "quiet" or empty."""
    return html.span({"class": f"badge badge--{look}" if look else "badge"}, words)


def live_badge(words: str) -> VdomDict:
    """Return the red badge of a live session."""
    return html.span({"class": "live-now"}, words)


def button(words: str, look: str = "", **attributes: Any) -> VdomDict:
    """Return a button; `look` is "plain", "small" or both. It does not submit a form unless `type` is "submit"."""
    return html.button({"type": "button", "class": _button_class(look)} | attributes, words)


def keeping_places(rows: Sequence[Markup], look: str, t: Texts) -> VdomDict:
    """Return a list whose rows keep their places in an open window; a line above says when it is another by now."""
    line = html.div({"class": "feed__line", "role": "status"})
    changed = t("The list has changed. Show it")
    held = {"data-arrivals": "", "data-held": "places", "data-one": changed, "data-many": changed}
    return html.div(held, line, html.ol({"class": look}, *rows))


def theater_button(t: Texts) -> VdomDict:
    """Return the button for wide videos on a dark page; while active it shows how to leave this mode (`lights.js`)."""
    leave = html.span({"class": "theater__leave"}, t("(Esc leaves it)"))
    return html.button(
        {"type": "button", "class": f"{_button_class('plain small')} theater", "aria-pressed": "false"},
        t("Theater mode"),
        " ",
        leave,
    )


def busy_button(words: str, look: str = "") -> VdomDict:
    """Return the disabled button of a running command."""
    return button(words, look, **{"disabled": True, "aria-busy": "true"})


def button_link(to: str, words: Markup, look: str = "") -> VdomDict:
    """Return a link that looks like a button, for the one or two main links of a page."""
    return html.a({"class": _button_class(look), "href": to}, words)


def link(to: str, *words: Markup) -> VdomDict:
    """Return a link outside of running text."""
    return html.a({"class": "link", "href": to}, *words)


def list_ways(to: str, page: KeysetPage[Any], older: str, t: Texts, *, look: str = "row") -> VdomDict | None:
    """Return the links of a page of the list at `to`: to the newest rows, and to older ones, labelled `older`."""
    if not (page.start or page.older):
        return None
    further = f"{to}{'&' if '?' in to else '?'}{urlencode({'before': page.older})}"
    ways = link(to, t("The newest")) if page.start else None, link(further, older) if page.older else None
    return html.p({"key": "ways", "class": look}, *ways)


def paging(number: int, pages: int, *, path: str, query: Mapping[str, str], language: str) -> Markup:
    """Return links to the previous and the next page; None when there is one page.

    `query` are the address's other fields; the page's own is `page`.
    """
    if pages == 1:
        return None
    t = texts(language)

    def way(to: int, words: str, rel: str) -> Markup:
        if not 1 <= to <= pages:
            return html.span({"class": "muted"}, words)
        fields = {name: value for name, value in query.items() if value} | ({"page": str(to)} if to > 1 else {})
        return html.a({"class": "link", "rel": rel, "href": path + (f"?{urlencode(fields)}" if fields else "")}, words)

    words = t("Page {number} of {pages}").format(number=number, pages=pages)
    return html.nav(
        {"key": "paging", "class": "paging", "aria-label": t("Pages")},
        way(number - 1, t("Previous page"), "prev"),
        html.span({"class": "muted"}, words),
        way(number + 1, t("Next page"), "next"),
    )


def visually_hidden(words: str, *, has_name: bool = False) -> VdomDict:
    """Return words for screen readers only; with `has_name` translation programs leave them as they are."""
    return html.span({"class": "visually-hidden"} | ({"translate": "no"} if has_name else {}), words)


def acts_menu(*acts: Markup, named: str, t: Texts) -> VdomDict:
    """Return the menu of what can be done with a text, whose beginning is `named`; absent if all of it is hidden."""
    label = {"aria-label": t("More: {text}").format(text=named)}
    return html.details({"class": "acts"}, html.summary(label, "⋯"), html.span({"class": "acts__all"}, *acts))


def go_on_here() -> VdomDict:
    """Return an element that takes the focus in browsers without scripts, so that the page is scrolled to it."""
    return html.noscript(html.span({"tabIndex": -1, "autoFocus": True}))


def tabs(name: str, choices: Sequence[tuple[str, str]], current: str) -> VdomDict:
    """Return tabs that are links: each (address, words), the one at the address `current` marked."""
    return html.nav(
        {"class": "tabs", "aria-label": name},
        *(
            html.a({"href": to, "key": to} | ({"aria-current": "page"} if to == current else {}), words)
            for to, words in choices
        ),
    )


def prose(text: str) -> VdomDict:
    """Return a text with one paragraph for each of its lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return html.div({"class": "prose"}, *(html.p(line) for line in lines))


def picture(address: str, look: str) -> Markup:
    """Return the picture at `address` in its reserved space, None for an empty address.

    The browser loads it lazily, near the viewport. A drawing behind it shows if the picture cannot be loaded.
    """
    image = {"src": address, "alt": "", "referrerPolicy": "no-referrer", "loading": "lazy"}
    return html.span({"class": f"drawn {look}"}, html.img(image)) if address else None


def framed_picture(address: str, look: str = "", *, at_once: bool = False) -> VdomDict:
    """Return a picture in its reserved space; a link behind it shows if the picture cannot be loaded."""
    image = {"src": address, "alt": "", "decoding": "async", "referrerPolicy": "no-referrer"}
    image |= {"fetchPriority": "high"} if at_once else {"loading": "lazy"}
    to = {"href": address, "rel": "nofollow ugc noopener noreferrer", "target": "_blank"}
    return html.p({"class": f"framed {look}".strip()}, html.a(to, address), html.img(image))


def _button_class(look: str) -> str:
    return " ".join(["button", *(f"button--{name}" for name in look.split())])


def linked(text: str) -> list[Markup]:
    """Return a user's text with its addresses as links."""
    return [audience_link(each.address, each.text) if each.address else each.text for each in text_links(text)]


def audience_link(address: str, words: str) -> VdomDict:
    """Return a link from a user's text; its `rel` keeps search engines from counting it as a recommendation."""
    return html.a({"href": address, "rel": "nofollow ugc noopener", "target": "_blank"}, words)


# message ids for gettext
WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth"),
)

DIGITS, OTHERS = {1: "{n}st", 2: "{n}nd", 3: "{n}rd"}, "{n}th"
TEENS = range(11, 14)


def ordinal(number: int, t: Texts) -> str:
    """Return a number from 1 on as a word, from 21 on as "number 21"."""
    return t(WORDS[number - 1]) if number <= len(WORDS) else t("number {n}").format(n=number)


def nth(number: int, t: Texts) -> str:
    """Return a number from 1 on in digits: "1st", "2nd", "3rd", "4th", "11th", "21st"."""
    ending = 0 if number % 100 in TEENS else number % 10
    return t(DIGITS.get(ending, OTHERS)).format(n=number)


def place_words(order_number: int, session_title: str, t: Texts) -> str:
    """Return the place in the order of playing in words, such as "4th in the evening session"."""
    return t("{nth} in {session}").format(nth=nth(order_number, t), session=session_title)


QUIET = 4  # modules of margin, as the QR format requires


def qr(text: str, label: str) -> VdomDict:
    """Return the QR code of `text`; `label` is for screen readers."""
    from qrcode.constants import ERROR_CORRECT_M  # noqa: PLC0415 - imports Pillow and lxml, for one form of one page
    from qrcode.main import QRCode  # noqa: PLC0415 - as above

    code = QRCode(border=QUIET, error_correction=ERROR_CORRECT_M)
    code.add_data(text)
    rows = code.get_matrix()
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return html.svg(
        {"class": "qr", "viewBox": f"0 0 {len(rows)} {len(rows)}", "role": "img", "aria-label": label},
        html.path({"d": dark}),
    )
