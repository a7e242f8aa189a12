"""Frames around pages: the site's header and footer, the page grid, administration, and account cards."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage

from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from components.runtime import Markup, Ref, VdomDict, cached_markup, command_button, html, shared_part, web_module
from components.ui.areas import AREAS, DASHBOARD, AdminPage, area_links, area_of, areas_bar
from components.ui.blocks import Links, button_link, link
from components.ui.marks import keyrule

MARKED = "/sessions"  # the address of the link with the live mark
SECTIONS = {"/ranking": "/stages"}  # where the pages of a link's section are, if not below its own address
MAIN = "main"  # the id of the landmark that the skip link leads to


@cached_markup
def masthead(
    *,
    path: str,
    pages: Links,
    account_pages: Links,
    is_signed_in: bool,
    phone_pages: Links = (),
    mark: Ref | None = None,
    language: str,
) -> VdomDict:
    """Return the top bar for the page at `path`, with links to `pages` and, at its end, the viewer's `account_pages`.

    `mark` is the part inside the link to MARKED. On phones the bar collapses into a menu button, and the menu has links
    to `phone_pages` too.
    """
    t = texts(language)
    marks = {MARKED: shared_part(mark)} if mark else {}
    links = [
        *(_link(path, to, name, marks.get(to)) for to, name in pages),
        *(_link(path, to, name, look="nav__phone") for to, name in phone_pages),
        _finder(t),
        _end(path, account_pages, t, is_signed_in=is_signed_in),
    ]
    return html.header(
        html.a({"class": "skip", "href": f"#{MAIN}"}, t("Skip to the content")),
        html.div(
            {"class": "sheet masthead"},
            html.div(
                {"class": "masthead__bar"},
                html.a({"class": "wordmark", "href": "/"}, "Parterre"),
                html.button(
                    {"class": "menu", "type": "button", "aria-expanded": "false", "aria-controls": "nav"}, t("Menu")
                ),
                html.nav({"class": "nav", "id": "nav", "aria-label": t("Main")}, *links),
            ),
        ),
        keyrule(),
    )


def _finder(t: Texts) -> VdomDict:
    """Return the search field; the client loads its suggestions at the first use (`modules/finder.js`)."""
    module = {"data-module": staticfiles_storage.url("build/modules/finder.js"), "data-list": t("Suggestions")}
    field = {"id": "finder", "name": "q", "placeholder": t("Search"), "maxLength": SEARCH_LENGTH}
    field |= {"type": "text", "autoComplete": "off", "inputMode": "search", "enterKeyHint": "search"}
    named = {"aria-label": t("The site")}  # a page may have another search
    return html.form(
        {"class": "finder", "role": "search", "method": "get", "action": "/search", "key": "finder"} | module | named,
        html.label({"htmlFor": "finder", "class": "visually-hidden"}, t("Search the site")),
        html.input(field),
        html.div({"class": "finder__found"}),
    )


def _end(path: str, account_pages: Links, t: Texts, *, is_signed_in: bool) -> VdomDict:
    name = t("Lights down")  # also the title: the label is hidden where the bar is narrow
    lights = html.button(
        {"class": "lights", "type": "button", "title": name, "aria-pressed": "false", "key": "lights"}, name
    )
    leave = html.form(
        {"method": "post", "action": "/sign-out", "key": "/sign-out"}, html.button({"type": "submit"}, t("Sign out"))
    )
    links = [_link(path, to, name) for to, name in account_pages]
    return html.div({"class": "nav__end", "key": "end"}, lights, *links, *([leave] if is_signed_in else []))


def _link(path: str, to: str, name: str, mark: Markup = None, look: str = "") -> VdomDict:
    attributes, of_section = {"href": to, "key": to} | ({"class": look} if look else {}), SECTIONS.get(to, to)
    if path == to:
        attributes["aria-current"] = "page"
    elif of_section != "/" and f"{path}/".startswith(f"{of_section}/"):
        attributes["aria-current"] = "true"
    return html.a(attributes, name, *([" ", mark] if mark else []))


@cached_markup
def footer(*, pages: Links, language: str) -> VdomDict:
    """Return the footer: what this site is not, and links to `pages`."""
    t = texts(language)
    return html.footer(
        {"class": "sheet footer"},
        keyrule("full"),
        html.div(
            {"class": "footer__row"},
            html.p(t("Parterre is unofficial and not affiliated with the competition.")),
            html.nav(
                {"aria-label": t("Footer")},
                html.ul([html.li({"key": to}, html.a({"href": to}, name)) for to, name in pages]),
            ),
        ),
    )


TOGETHER = re.compile(r"(^[^,]{1,18}(?=,|$)|(?<= )\S{1,9} \S{1,7}$)")  # a short beginning; the last two words
SHORT = 9  # characters that fit on any line
HARD = "\u00a0"  # a no-break space


def main(*children: Markup) -> VdomDict:
    """Return the page's main landmark."""
    return html.main({"id": MAIN, "tabIndex": -1}, *children)


def title(*words: Markup) -> VdomDict:
    """Return the page's only h1, which gets the focus after a navigation without a page load."""
    return html.h1({"tabIndex": -1}, *words)


def first_section(heading: str, *children: Markup) -> VdomDict:
    """Return the first section of a plain page, below its heading."""
    return html.section({"class": "sheet sheet--first"}, html.div({"class": "body stack"}, title(heading), *children))


def section(heading: str, *body: Markup, aside: Markup = None, name: str = "") -> VdomDict:
    """Return a ruled section with its heading in the margin and `aside` below the heading.

    `name` is the section's id and makes it a landmark, named by its heading.
    """
    attributes = {"class": "sheet sheet--ruled"}
    if name:
        attributes |= {"id": name, "aria-labelledby": f"{name}-heading"}
    heading_attributes = {"id": f"{name}-heading"} if name else {}
    return html.section(attributes, html.div({"class": "hang"}, html.h2(heading_attributes, heading), aside), *body)


def unbroken_words(words: str) -> list[Markup]:
    """Return a heading's words, with pairs such as "Stage II" kept on one line."""
    pieces = TOGETHER.split(words)
    return [_unbroken_span(piece) if index % 2 else piece for index, piece in enumerate(pieces) if piece]


def unbroken_pair(words: str) -> str:
    """Return words that stay on one line, such as a count with its noun."""
    return words.replace(" ", HARD)


def _unbroken_span(words: str) -> VdomDict:
    return html.span({"class": "keep" if len(words) <= SHORT else "keep keep--wide"}, words)


UNDO = web_module("modules/backstage/undo.js", "Undo")


def backstage(
    heading: str,
    *children: Markup,
    page: AdminPage,
    trail: Sequence[tuple[str, str]] = (),
    below: Sequence[Markup] = (),
    has_links: bool = True,
) -> VdomDict:
    """Return the main landmark of `page`: the three areas, the heading beside the links of its area, the children.

    Without `has_links` the page itself has what the links lead to.

    `trail` are the (address, words) of the breadcrumb above the heading, such as from a form to its list. `below` are
    sections with their headings in the margin.
    """
    t = texts(page.language)
    steps = [] if _is_entrance(page) and not trail else [(DASHBOARD, t("Backstage")), *trail]
    breadcrumb = html.p({"class": "backstage__trail"}, *(html.span(link(*step)) for step in steps)) if steps else None
    head = html.div(
        {"class": "backstage"}, html.div(breadcrumb, title(heading)), area_links(page) if has_links else None
    )
    return main(html.div({"class": "sheet"}, html.div(areas_bar(page), head, *children)), *below)


def _is_entrance(page: AdminPage) -> bool:
    """Return whether `page` is the dashboard or the page of an area."""
    return page.path in (DASHBOARD, *(area.path for area in AREAS))


def backstage_foot(bar: Ref, t: Texts) -> VdomDict:
    """Return the fixed foot of every administration page: the undo button of the last action, and the part `bar`."""
    undo = UNDO({"key": "undo", "label": t("Undo"), "busy": t("Processing...")})
    return html.div({"key": "backstage-foot", "class": "backstage-foot"}, undo, shared_part(bar))


def tools(search: Markup, *ways: Markup) -> VdomDict:
    """Return the line above a list: its search, and buttons such as for a new row."""
    return html.div({"class": "tools"}, search, html.div({"class": "row"}, *ways) if ways else None)


def search(path: str, *fields: VdomDict, language: str, hidden_fields: Mapping[str, str] | None = None) -> VdomDict:
    """Return the filter form of the list at `path`; its fields and `hidden_fields` go into the address."""
    t = texts(language)
    fields_kept = dict(hidden_fields or {})
    hidden = [
        html.input({"type": "hidden", "key": name, "name": name, "value": fields_kept[name]}) for name in fields_kept
    ]
    # for browsers without scripts; with scripts, every change of a field is sent
    send = html.button({"class": "button button--plain scriptless", "type": "submit"}, t("Search"))
    form = {"class": "tools__search", "method": "get", "action": path, "role": "search", "data-navigate": ""}
    form |= {"aria-label": t("This list")}
    return html.form(form, *hidden, *fields, send)


def answered_list(*children: Markup) -> VdomDict:
    """Return a list below the line for the answers to its buttons."""
    return html.div({"class": "listed", "data-answers": ""}, answer_line(), html.div({"data-results": ""}, *children))


def answer_line() -> VdomDict:
    """Return the line for answers; its key keeps it while the list changes."""
    return html.p({"key": "answer", "class": "answer-line", "data-answer": "", "role": "status"})


def rows(*children: VdomDict) -> VdomDict:
    """Return a list of `row`s."""
    return html.ol({"class": "entries"}, *children)


def area_list(page: AdminPage) -> VdomDict:
    """Return a list of what belongs to the area of `page`, each a link."""
    area, t = area_of(page), texts(page.language)
    return rows(
        *(row(to, html.h2(html.a({"href": to}, words)), acts=()) for to, words in (area.links(t) if area else ()))
    )


def row(name: str, *about: Markup, acts: Sequence[Markup], aside: Markup = None, look: str = "") -> VdomDict:
    """Return one row: `aside` on the left (a date, a picture), `about` it, and its buttons `acts`.

    `name` is its key. The label of each button begins with the action and ends with the row's name.
    """
    classes = f"entries__row {look}".strip() if aside is not None else f"entries__row entries__row--bare {look}".strip()
    hanging = html.div({"class": "entries__aside"}, aside) if aside is not None else None
    doing = html.div({"class": "entries__acts"}, *acts)
    return html.li({"key": name, "class": classes}, hanging, html.div({"class": "entries__what"}, *about), doing)


def edit_link(to: str, named: str, *, language: str) -> VdomDict:
    """Return the link to a row's form; `named` is the row's name."""
    t = texts(language)
    name = t("Edit: {name}").format(name=named)
    return html.a({"class": "button button--plain button--small", "href": to, "aria-label": name}, t("Edit"))


def delete_button(name: str, argument: str | int, *, named: str, ask: str, words: str = "", language: str) -> VdomDict:
    """Return the button of the command `name` that deletes.

    `ask` is the question, `words` its explanation, `named` the row's name in the label.
    """
    t = texts(language)
    own = command_button(name, argument, busy=t("Deleting..."), confirm=ask, words=words, yes=t("Delete"))
    own |= {"data-ask": ask, "data-ask-yes": t("Delete all of it")}  # for the question about dependents
    label = {"aria-label": t("Delete: {name}").format(name=named)}
    return html.button({"class": "button button--plain button--small"} | own | label, t("Delete"))


def form_page(
    form: Mapping[str, Any],
    *fields: Markup,
    save: str,
    cancel: str,
    version: str = "",
    look: str = "",
    beside: Markup = None,
    language: str,
) -> VdomDict:
    """Return a form that fills a page: `form` are its attributes (`command_form`), `save` its button's label.

    Only the server validates it, with the site's messages. `cancel` is the list's address. Leaving with unsaved
    changes asks first. `version` is the version that the editor read; a draft contains it too. `look` is a class, such
    as "form-page--wide". `beside` follows the buttons.
    """
    t = texts(language)
    own: dict[str, Any] = {"class": f"form-page stack {look}".strip(), "noValidate": True} | leave_guard(language)
    buttons = html.div(
        {"class": "row"},
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, save),
        button_link(cancel, t("Cancel"), "plain"),
        beside,
    )
    done = html.div({"class": "form-page__done"}, answer_line(), buttons)  # both stay in view in a long form
    return html.form(own | dict(form), *fields, version_field(version, language) if version else None, done)


def leave_guard(language: str) -> dict[str, str]:
    """Return the attributes of a form that asks before the user leaves with unsaved changes."""
    t = texts(language)
    return {
        "data-guard": t("Leave without saving?"),
        "data-guard-words": t("What you changed here is not saved."),
        "data-guard-no": t("Stay here"),
        "data-guard-yes": t("Leave"),
    }


def version_field(version: str, language: str, name: str = "version") -> VdomDict:
    """Return the field with the version that the editor read; `name` is its id, one for each form of a page."""
    t = texts(language)
    # not type="hidden": such inputs are neither in drafts nor reset
    field = {"id": name, "name": "version", "type": "text", "defaultValue": version, "readOnly": True}
    return html.div({"hidden": True}, html.label({"htmlFor": name}, t("Version")), html.input(field))


def ticket(heading: str, *children: Markup, foot: str, t: Texts) -> VdomDict:
    """Return a page with one card, drawn as a ticket: heading and children on it, `foot` on its stub."""
    form = html.div({"class": "ticket__form"}, title(heading), *children)
    card = html.div({"class": "ticket"}, form, _stub(foot, t))
    return main(html.div({"class": "sheet"}, html.div({"class": "ticket-wrap"}, card)))


def _stub(foot: str, t: Texts) -> VdomDict:
    lines = ((t("Parterre"), t("Left")), (t("Row"), "G"), (t("Seat"), "12"))
    return html.div(
        {"class": "ticket__stub", "aria-hidden": "true"},
        html.dl(*(html.div({"key": name}, html.dt(name), html.dd(value)) for name, value in lines)),
        html.div({"class": "ticket__code"}),
        html.p(foot),
    )


def either(words: str) -> VdomDict:
    """Return the line between two alternatives, such as "or"."""
    return html.p({"class": "or"}, words)


def aside(*words: Markup) -> VdomDict:
    """Return the quiet line at the end of a ticket, with a link to another page."""
    return html.p({"class": "muted"}, *words)
