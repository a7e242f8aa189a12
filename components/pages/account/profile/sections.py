"""The sections of the profile's settings; each is a plain form that works without a script."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from apps.accounts.selectors import Factors, OwnSession, Profile
from apps.core.database.clock import venue_zone
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts, texts
from components.form import Form
from components.markup import Markup, VdomDict, html
from components.pages.account.fields import again, new_password, password, username
from components.pages.account.second_factor.factors import rows
from components.ui.blocks import badge, link
from components.ui.controls import forms
from components.ui.controls.plain_forms import Entry, answers, entries, plain_form, submit
from components.ui.frames.admin_frame import version_field
from components.ui.frames.page_grid import section
from components.ui.venue_time import ago

OnPicture = Callable[[dict[str, Any]], Awaitable[None]]


def settings_section(
    form: Form, profile: Profile, likeness: VdomDict, on_picture: OnPicture, language: str
) -> VdomDict:
    """Return username, e-mail, picture and a new password as one form.

    `likeness` is the picture that is typed, `on_picture` handles its address.
    """
    t = texts(language)
    values = {"username": profile.username, "avatar_url": profile.avatar_url, **form.values}
    filled = replace(form, values=values)
    asked = entries(filled, [username(t), _picture(on_picture, t), *_passwords(profile, t)], t)
    name, address, *passwords = asked
    picture = html.div({"class": "pictured"}, address, likeness)
    mail = forms.field(
        t("E-mail"),
        "email",
        value=profile.email,
        hint=t("This is what you sign in with; it cannot be changed here."),
        type="email",
        readOnly=True,
        autoComplete="username",
    )
    save = _row(submit(t("Save changes"), **{"data-busy": t("Saving...")}))
    version = version_field(values.get("version", profile.version), language)
    inside = (name, mail, picture, *passwords, version, save)
    is_saved = form.messages and not form.values
    kept: dict[str, Any] = {"data-draft": "profile"} | ({"data-saved": ""} if is_saved else {})
    return section(
        t("Settings"),
        _body(*answers(form, t), plain_form(filled, *inside, action="/profile/settings", **kept)),
        name="settings",
    )


def factors_section(factors: Factors, language: str) -> VdomDict:
    """Return the second factors, with a link to each."""
    t = texts(language)
    words = html.p(t("A passkey, or a code from an app: whoever learns your password still stays outside."))
    return section(t("Signing in safely"), _body(words, html.ul({"class": "seats"}, *rows(factors, t))), name="factors")


def sessions_section(form: Form, sessions: Sequence[OwnSession], here: str, language: str) -> VdomDict:
    """Return one's sessions, with buttons that end each, and all others at once."""
    t = texts(language)
    rows = [_session(form, each, here, language) for each in sessions]
    others = any(each.handle != here for each in sessions)
    leave = _row(submit(t("Sign out everywhere else"), "plain"))
    everywhere = plain_form(form, leave, action="/profile/sessions/end-others") if others else None
    return section(
        t("Where you are signed in"),
        _body(*answers(form, t), html.ul({"class": "seats"}, *rows), everywhere),
        name="sessions",
    )


def _session(form: Form, session: OwnSession, here: str, language: str) -> VdomDict:
    t, zone = texts(language), venue_zone()
    agent = session.agent or t("Unknown browser")
    is_here = session.handle == here
    since = ago(session.signed_in_at, zone=zone, language=language)
    seen = ago(session.seen_at, zone=zone, language=language)
    about = html.div(
        {"class": "seats__about"},
        html.p({"class": "seats__name"}, agent, " ", badge(t("This browser"), "now") if is_here else None),
        html.p({"class": "seats__when"}, t("Signed in"), " ", since, " · ", t("last seen"), " ", seen),
    )
    named = replace(form, hidden={"handle": session.handle})
    name = {"aria-label": t("Sign out: {browser}").format(browser=agent)}
    end = plain_form(named, submit(t("Sign out"), "plain small", **name), action="/profile/sessions/end")
    return html.li({"key": f"session-{session.handle}"}, about, None if is_here else end)


def data_section(form: Form, language: str) -> VdomDict:
    """Return the form that downloads one's data."""
    t = texts(language)
    words = html.p(t("All that is kept about you, as a file that other programs can read (JSON). Three times a day."))
    download = plain_form(form, _row(submit(t("Download my data"), "plain")), action="/profile/export", leaves=False)
    return section(t("Your data"), _body(*answers(form, t), words, download), name="data")


def leaving_section(form: Form, profile: Profile, language: str) -> VdomDict:
    """Return what deletion means, and the form that deletes the account."""
    t = texts(language)
    words = html.p(
        t(
            "Deleting your account deletes your ratings, recommendations, session comments and reactions. Posts and "
            "their comments stay, by a former member. It cannot be undone."
        )
    )
    before = html.p(link("#data", t("Download your data first")))
    asked = _owner(form, profile, t) if profile.has_password else []
    delete = _row(submit(t("Delete account"), "plain"))
    again_first = None if profile.has_password else html.p(t("You will be asked to sign in once more before."))
    return section(
        t("Leaving"),
        _body(
            *answers(form, t), words, before, again_first, plain_form(form, *asked, delete, action="/profile/delete")
        ),
        name="leaving",
    )


def _owner(form: Form, profile: Profile, t: Texts) -> list[VdomDict]:
    """Return the field for the password, after a hidden field of the address for password managers."""
    known = {"type": "email", "name": "email", "autoComplete": "username", "readOnly": True, "hidden": True}
    asked = entries(form, [replace(password(t), more={"id": "leaving-password"})], t)
    return [html.input({**known, "defaultValue": profile.email}), *asked]


def _picture(on_picture: OnPicture, t: Texts) -> Entry:
    hint = t("An address that begins with https://. Without a picture your initials are drawn.")
    more = {"required": False, "maxLength": ADDRESS_LENGTH, "inputMode": "url", "onBlur": on_picture}
    return Entry("avatar_url", t("Picture (address)"), "url", "photo", hint, more)


def _passwords(profile: Profile, t: Texts) -> list[Entry]:
    label = t("New password") if profile.has_password else t("Password")
    chosen, once_more = new_password(t, label), again(t)
    return [
        replace(chosen, more={**chosen.more, "required": False}),
        replace(once_more, more={**once_more.more, "required": False}),
    ]


def _body(*children: Markup) -> VdomDict:
    return html.div({"class": "body stack profile__body"}, *children)


def _row(*children: Markup) -> VdomDict:
    return html.div({"class": "row"}, *children)
