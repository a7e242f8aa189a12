"""The HTML document of a page view: the page's own markup and its shared parts, with one viewer's slots filled."""

import base64
import hashlib
import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from itertools import chain, groupby
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from orjson import loads

from apps.core.texts import texts
from components.runtime.page import Page
from components.runtime.rendering.browser_half import browser_half
from components.runtime.rendering.live_part import LivePart, PublicText, public_pieces
from components.runtime.rendering.page_slots import fills_in
from components.runtime.rendering.posting import buttons_form, posting
from components.runtime.rendering.serializer import pieces_apart, pieces_filled, to_json
from components.runtime.rendering.tree import CachedMarkup

SITE = "Parterre"
LIVE = "/live/"  # where sockets are opened
GZIP_HEAD = b"\x1f\x8b\x08" + bytes(6) + b"\xff"  # RFC 1952: deflate, neither name nor time
LEVEL = 6  # of deflate: 9 takes 1.8 times as long for 2 % less (the live page at once)
BLANK = b"\xff"  # a byte that no UTF-8 contains
STORED = 65_535  # bytes in one uncompressed block of deflate


class Document:
    """One page's HTML without its parts. A document made for an anonymous visitor is the same for all of them.

    A plain page has no client. `viewer_state` identifies the viewer; the presence socket of a signed-in viewer watches
    it. `visitors` is the document of the same page for anonymous visitors: what both contain is public text.
    """

    def __init__(
        self,
        page: Page,
        model: dict[str, Any],
        *,
        plain: bool = False,
        account: int | None = None,
        viewer_state: str = "",
        visitors: "Document | None" = None,
    ) -> None:
        own = ""
        if account is not None:  # drafts are kept in the browser by account
            own += f' data-account="{account}"'
        if viewer_state:
            own += f' data-presence="{LIVE}?{escape(urlencode({"viewer_state": viewer_state}))}"'
        self.head = _head(page, _scripts(page, viewer_state, plain=plain), plain=plain)
        self.data = "" if plain else to_json(model)
        shown_to_all = list(_public_nodes(model, loads(self.data), loads(visitors.data))) if visitors else []
        head = PublicText(self.head) if visitors and visitors.head == self.head else self.head
        root = PublicText(_plain_root(page.language) if plain else _client_root(page.language))
        runs = pieces_apart(model, [node for node, _ in shown_to_all])
        body = [public_pieces(run) if number % 2 else run for number, run in enumerate(runs)]
        self.pieces, self.fills = (head, root, f"{own}>", *chain.from_iterable(body)), fills_in(model)
        self.data_pieces = _apart(self.data, [to_json(plain_node) for _, plain_node in shown_to_all])
        self.plain, self.address, self.account = plain, page.address, account
        content = "".join([*self.pieces, self.data]).encode()
        self.hash, self.size = hashlib.blake2b(content, digest_size=9).hexdigest(), len(content)

    def version(self, parts: Sequence[LivePart]) -> str:
        """Return a version string that identifies this content: the page's hash and the versions of its parts."""
        return "-".join([self.hash, *(part.version for part in parts)])

    def html(self, parts: Sequence[LivePart], token: str = "") -> bytes:
        """Return the whole page: each part's HTML in its place, the page's fills in the slots, each part's model once.

        `token` is the CSRF token that the forms of a signed-in viewer post.
        """
        return "".join(self._texts(parts, token)).encode()

    def packed(self, parts: Sequence[LivePart], token: str = "") -> bytes:
        """Return the whole page as gzip in which only public text is compressed.

        Text of the viewer or of the request is stored uncompressed, and no public text refers back to it: the
        compressor is given as many BLANK bytes in its place. An attacker who has the page requested repeatedly
        therefore cannot derive its secrets from its length (BREACH).
        """
        out, size, check = [GZIP_HEAD], 0, 0
        compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        for kind, texts_ in groupby(self._texts(parts, token), type):
            content = "".join(texts_).encode()
            size, check = size + len(content), zlib.crc32(content, check)
            is_public = kind is PublicText
            deflated = compressor.compress(content if is_public else BLANK * len(content))
            deflated += compressor.flush(zlib.Z_SYNC_FLUSH)  # ends the block, on a byte boundary
            out.append(deflated if is_public else _stored(content))
        out += [b"\x03\x00", check.to_bytes(4, "little"), (size % 2**32).to_bytes(4, "little")]
        return b"".join(out)

    def _texts(self, parts: Sequence[LivePart], token: str) -> list[str]:
        """Return the page in pieces. Public pieces of its parts are `PublicText`."""
        by_key, inputs = {part.ref.key: part.pieces for part in parts}, posting(self.address, token, self.account)

        def pieces_of(key: str) -> Sequence[str]:
            return by_key.get(key, ())  # the browser requests a part that was added since

        found = pieces_filled(self.pieces, self.fills, pieces_of, inputs)
        found.append("</div>")
        if not self.plain:
            found += ['<script type="application/json" id="app-model">', *self.data_pieces, "</script>"]
            for part in parts:
                found += _part_data(part)
            found.append(buttons_form(inputs))
        found.append(PublicText(_TAIL))
        return found


SHORT = 300  # characters of JSON: a shorter node is not worth a block of its own


def _public_nodes(
    node: dict[str, Any], own: dict[str, Any], theirs: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the public nodes of a public page's model, as `node` and as in `own`, its data; none contains another.

    They are those that the visitors' model contains too, and cached markup, which all viewers share.
    """
    if own == theirs:
        yield node, own
        return
    others = [child for child in theirs.get("children", ()) if isinstance(child, dict)]
    for child, own_child in zip(node.get("children", ()), own.get("children", ()), strict=True):
        if isinstance(child, str):
            continue
        if isinstance(child, CachedMarkup):
            yield child, own_child
            continue
        same = next((other for other in others if other == own_child), None) or next(
            (other for other in others if _name(other) == _name(own_child)), None
        )
        if same is not None:
            yield from _public_nodes(child, own_child, same)


def _name(node: dict[str, Any]) -> tuple[str, str, str]:
    attributes = node.get("attributes") or {}
    return node["tagName"], attributes.get("key", ""), attributes.get("class", "")


def _apart(data: str, shown_to_all: Sequence[str]) -> list[str]:
    """Return the data in pieces; those of the nodes that are shown to all are public. They are in the data's order."""
    found, end = [], 0
    for text in shown_to_all:
        start = data.find(text, end)
        if start >= 0 and len(text) >= SHORT:
            found += [data[end:start], PublicText(text)]
            end = start + len(text)
    return [*found, data[end:]]


_TAIL = (
    '<div class="progress" data-progress hidden></div>'
    '<p class="status" data-connection-status role="status"></p></body></html>'
)


def _stored(content: bytes) -> bytes:
    """Return the content as uncompressed deflate blocks."""
    if len(content) <= STORED:  # as a rule
        return b"\0" + struct.pack("<HH", len(content), len(content) ^ STORED) + content
    blocks = [content[start : start + STORED] for start in range(0, len(content), STORED)]
    return b"".join(b"\0" + struct.pack("<HH", len(block), len(block) ^ STORED) + block for block in blocks)


def _part_data(part: LivePart) -> tuple[str, str, str]:
    key = escape(part.ref.key)
    start = f'<script type="application/json" data-part="{key}" data-version="{part.version}">'
    return PublicText(start), part.data, PublicText("</script>")


@cache
def import_map() -> str:
    """Return the constant import map, by which web modules share the client's React."""
    client = staticfiles_storage.url("build/client.js")
    return json.dumps({"imports": dict.fromkeys(["react", "react-dom", "react/jsx-runtime"], client)})


@cache
def import_map_hash() -> str:
    """Return the map's hash for the Content-Security-Policy (`'sha256-…'` without the quotes)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(import_map().encode()).digest()).decode()


def full_title(page: Page) -> str:
    """Return the document's title: the page's title and the name of the site."""
    return f"{page.title} – {SITE}"


def _head(page: Page, scripts: str, *, plain: bool) -> str:
    title, description = escape(full_title(page)), escape(page.description)
    canonical = escape(settings.PUBLIC_URL + (page.canonical or page.path))
    image = escape(page.image or staticfiles_storage.url("og.png"))
    image = image if image.startswith("https://") else settings.PUBLIC_URL + image
    robots = '<meta name="robots" content="noindex">' if plain else ""
    return (
        f'<!doctype html><html lang="{page.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><meta name="description" content="{description}">{robots}'
        f'<link rel="canonical" href="{canonical}">'
        f'<meta property="og:site_name" content="{SITE}"><meta property="og:type" content="website">'
        f'<meta property="og:title" content="{escape(page.title)}">'
        f'<meta property="og:description" content="{description}">'
        f'<meta property="og:url" content="{canonical}"><meta property="og:image" content="{image}">'
        '<meta name="twitter:card" content="summary_large_image">'
        f"{_fixed_head()}{_styles(page)}{scripts}</head><body>"
        '<div id="app"'
    )


@cache
def _fixed_head() -> str:
    url = staticfiles_storage.url
    return (
        f'<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" href="{url("favicon.svg")}" type="image/svg+xml">'
        f'<link rel="apple-touch-icon" href="{url("icons/apple-touch.png")}">'
        '<link rel="manifest" href="/manifest.webmanifest">'
        f'<link rel="preload" href="{url("build/serif.woff2")}" as="font" type="font/woff2" crossorigin>'
        f'<script src="{url("build/lights.js")}"></script>'
        f'<script src="{url("build/faults.js")}" defer></script>'
        f'<link rel="stylesheet" href="{url("build/parterre.css")}">'
    )


def style_addresses(page: Page) -> list[str]:
    """Return the addresses of the style sheets that this page needs besides that of every page."""
    return [staticfiles_storage.url(f"build/{name}.css") for name in page.styles]


def _styles(page: Page) -> str:
    return "".join(f'<link rel="stylesheet" href="{address}">' for address in style_addresses(page))


def _scripts(page: Page, viewer_state: str, *, plain: bool) -> str:
    if not plain:
        return _client_scripts()
    files = (*page.scripts, "draft-expiry.js", *(["presence.js"] if viewer_state else []))
    return "".join(
        f'<script type="module" src="{staticfiles_storage.url(f"build/{file}")}"></script>' for file in files
    )


@cache
def _client_scripts() -> str:
    return (
        f'<script type="importmap">{import_map()}</script>'
        f'<script type="module" src="{staticfiles_storage.url("build/client.js")}"></script>'
    )


@cache
def _plain_root(language: str) -> str:
    t = texts(language)
    return f' data-processing="{escape(t("Processing..."))}"'


@cache
def _client_root(language: str) -> str:
    t = texts(language)
    sentences = {
        "reconnecting": t("Reconnecting…"),
        "polling": t("Live updates are not available on this network."),
        "reload": t("Reload"),
        "offline": t("There is no connection. This page stays until there is one."),
        "cancel": t("Cancel"),
        "undo": t("Undo"),
        "waiting-4003": t("There is a new version of this site. The page loads again in a moment."),
        "waiting-4005": t("This window sent too much at once. It goes on in a moment."),
        "too-fast": t("That was a little fast. Please try again in a moment."),
        "too-long": t("This is too long. Please shorten it."),
        "failed": t("Something went wrong here. Please reload the page."),
        "unsent": t("This is not sent yet. It is sent as soon as that is possible."),
        "stopped": t("The live connection was closed. Please reload the page."),
        "stopped-4500": t("This page and the server no longer understand each other. Please reload the page."),
        "stopped-4503": t(
            "You have been signed out. What you typed is not saved yet; it stays here while this page is open."
        ),
        "sign-in": t("Sign in in a new window"),
        "kept": t("You were signed out. What you typed is kept in this browser for a day: sign in to go on."),
        "restored": t("Your unsaved changes of {time} were restored."),
        "start-over": t("Start over"),
        "stopped-4504": t("Too many windows are open. Close some and reload the page."),
    }
    data = "".join(f' data-{name}="{escape(text)}"' for name, text in sentences.items())
    half = browser_half()
    url = f"{LIVE}?half={half}" if half else LIVE
    module = staticfiles_storage.url("build/polling.js")
    return f' data-reactpy-root data-url="{url}" data-module="{module}"{_plain_root(language)}{data}'
