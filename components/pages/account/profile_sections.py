"""The sections of the profile's settings; each is a plain form that works without a script."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from apps.accounts.selectors import Factors, OwnSession, Profile
from apps.core.clock import venue_zone
from apps.core.texts import Texts, texts
from apps.core.validators import ADDRESS_LENGTH
from components.form import Form
from components.markup import Markup, VdomDict, html
from components.pages.account.factors import rows
from components.pages.account.fields import again, new_password, password, username
from components.ui import forms
from components.ui.blocks import badge, link
from components.ui.page_grid import section
from components.ui.plain_forms import Entry, answers, entries, posted, submit
from components.ui.venue_time import ago

OnPicture = Callable[[dict[str, Any]], Awaitable[None]]


def settings_section(form: Form, profile: Profile, on_picture: OnPicture, language: str) -> VdomDict:
    """Return username, e-mail, picture and a new password as one form; `on_picture` hears of an address typed."""
    _ = texts(language)
    values = {"username": profile.username, "avatar_url": profile.avatar_url, **form.values}
    filled = replace(form, values=values)
    asked = entries(filled, [username(_), _picture(on_picture, _), *_passwords(profile, _)], _)
    name, picture, *passwords = asked
    mail = forms.field(
        _("E-mail"),
        "email",
        value=profile.email,
        hint=_("This is what you sign in with; it cannot be changed here."),
        type="email",
        readOnly=True,
        autoComplete="username",
    )
    save = _row(submit(_("Save changes"), **{"data-busy": _("Saving...")}))
    return section(
        _("Settings"),
        _body(*answers(form, _), posted(filled, name, mail, picture, *passwords, save, action="/profile/settings")),
        name="settings",
    )


def factors_section(factors: Factors, language: str) -> VdomDict:
    """Return what stands beside the password, and the way to each of it."""
    _ = texts(language)
    words = html.p(_("A passkey, or a code from an app: whoever learns your password still stays outside."))
    return section(_("Signing in safely"), _body(words, html.ul({"class": "seats"}, *rows(factors, _))), name="factors")


def sessions_section(form: Form, sessions: Sequence[OwnSession], here: str, language: str) -> VdomDict:
    """Return where one is signed in, each to be ended, and all others at once."""
    _ = texts(language)
    rows = [_session(form, each, here, language) for each in sessions]
    others = any(each.handle != here for each in sessions)
    leave = _row(submit(_("Sign out everywhere else"), "plain"))
    everywhere = posted(form, leave, action="/profile/sessions/end-others") if others else None
    return section(
        _("Where you are signed in"),
        _body(*answers(form, _), html.ul({"class": "seats"}, *rows), everywhere),
        name="sessions",
    )


def _session(form: Form, session: OwnSession, here: str, language: str) -> VdomDict:
    _, zone = texts(language), venue_zone()
    agent = session.agent or _("Unknown browser")
    is_here = session.handle == here
    since = ago(session.signed_in_at, zone=zone, language=language)
    seen = ago(session.seen_at, zone=zone, language=language)
    about = html.div(
        {"class": "seats__about"},
        html.p({"class": "seats__name"}, agent, " ", badge(_("This browser"), "now") if is_here else None),
        html.p({"class": "seats__when"}, _("Signed in"), " ", since, " · ", _("last seen"), " ", seen),
    )
    named = replace(form, hidden={"handle": session.handle})
    name = {"aria-label": _("Sign out: {browser}").format(browser=agent)}
    end = posted(named, submit(_("Sign out"), "plain small", **name), action="/profile/sessions/end")
    return html.li({"key": f"session-{session.handle}"}, about, None if is_here else end)


def data_section(form: Form, language: str) -> VdomDict:
    """Return the way to take one's data along."""
    _ = texts(language)
    words = html.p(_("All that is kept about you, as a file that other programs can read (JSON). Three times a day."))
    download = posted(form, _row(submit(_("Download my data"), "plain")), action="/profile/export", leaves=False)
    return section(_("Your data"), _body(*answers(form, _), words, download), name="data")


def leaving_section(form: Form, profile: Profile, language: str) -> VdomDict:
    """Return what becomes of what, and the form that deletes the account."""
    _ = texts(language)
    words = html.p(
        _(
            "Deleting your account deletes your ratings, recommendations, session comments and reactions. Posts and "
            "their comments stay, by a former member. It cannot be undone."
        )
    )
    before = html.p(link("#data", _("Download your data first")))
    asked = _owner(form, profile, _) if profile.has_password else []
    delete = _row(submit(_("Delete account"), "plain"))
    again_first = None if profile.has_password else html.p(_("You will be asked to sign in once more before."))
    return section(
        _("Leaving"),
        _body(*answers(form, _), words, before, again_first, posted(form, *asked, delete, action="/profile/delete")),
        name="leaving",
    )


def _owner(form: Form, profile: Profile, _: Texts) -> list[VdomDict]:
    """Return the question for the password; whose it is, is told to password managers and to nobody else."""
    known = {"type": "email", "name": "email", "autoComplete": "username", "readOnly": True, "hidden": True}
    asked = entries(form, [replace(password(_), more={"id": "leaving-password"})], _)
    return [html.input({**known, "defaultValue": profile.email}), *asked]


def _picture(on_picture: OnPicture, _: Texts) -> Entry:
    hint = _("An address that begins with https://. Without a picture your initials are drawn.")
    more = {"required": False, "maxLength": ADDRESS_LENGTH, "inputMode": "url", "onBlur": on_picture}
    return Entry("avatar_url", _("Picture (address)"), "url", "photo", hint, more)


def _passwords(profile: Profile, _: Texts) -> list[Entry]:
    label = _("New password") if profile.has_password else _("Password")
    chosen, once_more = new_password(_, label), again(_)
    return [
        replace(chosen, more={**chosen.more, "required": False}),
        replace(once_more, more={**once_more.more, "required": False}),
    ]


def _body(*children: Markup) -> VdomDict:
    return html.div({"class": "body stack profile__body"}, *children)


def _row(*children: Markup) -> VdomDict:
    return html.div({"class": "row"}, *children)
