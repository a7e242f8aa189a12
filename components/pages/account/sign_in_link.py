"""The pages of a link that signs in: asking for it, and what it leads to."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Page
from components.pages.account.fields import email
from components.pages.account.mailed_link import mailed_link
from components.ui.auth_card import aside, ticket
from components.ui.blocks import button_link, link
from components.ui.plain_forms import answers, entries, onward, posted, submit

ASK = "/login/link"


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the question for the address."""
    _ = texts(language)
    description = _("A link with which you log in comes by e-mail.")
    return Page(title=_("Log in by mail"), description=description, component=ask_page, data=form)


@component
def ask_page(page: Page) -> VdomDict:
    """One field."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p(_("We send a link to your address. With it you log in without your password.")),
        posted(form, *entries(form, [email(_, autocomplete="username")], _), submit(_("Send me a link"))),
        aside(_("Remembered?"), " ", link(onward("/login", form), _("Log in"))),
        foot=_("Admit one"),
        _=_,
    )


def sent(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return what everybody reads who asked."""
    _ = texts(language)
    return mailed_link(form, language, again=ASK, foot=_("Nearly there"))


def use(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the button that signs in."""
    _ = texts(language)
    description = _("You were sent a link to log in.")
    return Page(title=_("Log in"), description=description, component=use_page, data=form)


@component
def use_page(page: Page) -> VdomDict:
    """Whose account it is, and the button: a mail program that opens links must not press it."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p({"class": "lead"}, page.description),
        html.p(html.strong(form.extra.get("username", ""))),
        posted(form, submit(_("Log in"))),
        aside(_("Not yours? Then close this page, and nothing happens.")),
        foot=_("Admit one"),
        _=_,
    )


def unusable(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return what is wrong with the link."""
    _ = texts(language)
    description = _("This link has been used, or it is older than an hour.")
    return Page(title=_("Log in"), description=description, component=unusable_page, data=form)


@component
def unusable_page(page: Page) -> VdomDict:
    """The sentence, and the way to another link."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p({"class": "lead"}, page.description),
        button_link(ASK, _("Send me a link")),
        aside(_("You have your password?"), " ", link("/login", _("Log in"))),
        foot=_("Not valid"),
        _=_,
    )
