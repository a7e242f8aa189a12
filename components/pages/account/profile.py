"""The viewer's own profile: settings, second factors, sessions, data export, deletion, and own ratings."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apps.accounts.actors import TYPED_BY, form_owner_sign
from apps.accounts.selectors.own_account import (
    Defaults,
    Factors,
    OwnSession,
    Profile,
    answer_get,
    default_avatars,
    factors_get,
    profile_get,
    sessions_own,
)
from apps.community.selectors.hidden_texts import OwnHidden, own_hidden
from apps.core.database.fields import venue_zone
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import SECURE_ADDRESS, initials, is_picture_address
from apps.core.texts import Texts, texts
from apps.notifications.selectors.preferences import OwnPreferences, preferences_own
from apps.ranking.ledger import LedgerSort, ledger_get
from apps.ratings.selectors.covering import NO_COVERING, Covering, covering_get
from components.pages.account.ears import ears_first
from components.pages.account.ledger import ADDRESS, RATINGS, Ledger, my_ratings, shown_state
from components.pages.account.notifications import NO_PREFERENCES, notification_choices
from components.pages.account.screen import again, new_password, password, username
from components.pages.account.second_factors import rows
from components.pages.public.not_found import not_found_page
from components.runtime import (
    Form,
    FormMessage,
    Markup,
    Page,
    PageRequest,
    VdomDict,
    component,
    html,
    key,
    use_live_query,
    use_state,
    use_token,
    use_viewer,
)
from components.ui import forms
from components.ui.blocks import badge, link, tabs
from components.ui.frames import main, section, title, version_field
from components.ui.people import disc
from components.ui.posted_forms import Entry, answers, entries, plain_form, submit
from components.ui.venue_time import ago

Hidden = tuple[OwnHidden, ...]


@component
def hidden_texts(initial: Hidden, language: str) -> VdomDict:
    """Render the viewer's hidden texts, kept current; an empty hidden element if there are none."""
    t, user_id = texts(language), use_viewer().id or 0
    hidden = use_live_query(own_hidden, topics=(f"account.{user_id}.hidden",), initial=initial, user_id=user_id)
    if not hidden:
        return html.div({"hidden": True})
    words = html.p(t("Only you and the administrators see these now. They stay in your data."))
    rows = html.ol({"class": "letters__list"}, *(_hidden_text_row(each, language) for each in hidden))
    return section(t("Hidden"), html.div({"class": "body stack profile__body"}, words, rows), name="hidden")


def _hidden_text_row(hidden: OwnHidden, language: str) -> VdomDict:
    t = texts(language)
    written = ago(hidden.text.created_at, zone=venue_zone(), language=language)
    kind = html.strong(t(str(hidden.kind.label)))
    return html.li(
        {"key": f"{hidden.kind.value}-{hidden.text.id}", "class": "own-ratings__row"},
        html.p({"class": "says__by"}, kind, written),
        html.blockquote({"class": "says__text"}, hidden.text.text),
        html.p({"class": "small muted"}, _reason(hidden, t)),
    )


def _reason(hidden: OwnHidden, t: Texts) -> str:
    if hidden.by_audience:
        words = t("Several people reported it. It is hidden until an administrator decides, for a day at most.")
    else:
        words = t("An administrator has hidden it.")
    reasons = ", ".join(t(str(reason.label)) for reason in hidden.reasons)
    return f"{words} {t('Reasons given: {reasons}.').format(reasons=reasons)}" if reasons else words


OnPicture = Callable[[dict[str, Any]], Awaitable[None]]


def settings_section(
    form: Form, profile: Profile, likeness: VdomDict, on_picture: OnPicture, language: str
) -> VdomDict:
    """Return the form for username, picture and a new password; it shows the e-mail address read-only.

    `likeness` is the preview of the typed picture, `on_picture` handles its address.
    """
    t = texts(language)
    values = {"username": profile.username, "avatar_url": profile.avatar_url, **form.values}
    filled = replace(form, values=values)
    inputs = entries(filled, [username(t), _picture(on_picture, t), *_passwords(profile, t)], t)
    name, address, *passwords = inputs
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
    save = _section_row(submit(t("Save changes"), **{"data-busy": t("Saving...")}))
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
    """Return the section of second factors, with a link to each."""
    t = texts(language)
    words = html.p(t("A passkey, or a code from an app: whoever learns your password still stays outside."))
    return section(t("Signing in safely"), _body(words, html.ul({"class": "seats"}, *rows(factors, t))), name="factors")


def sessions_section(form: Form, sessions: Sequence[OwnSession], here: str, language: str) -> VdomDict:
    """Return the section of the account's sessions, with buttons that end one session or all others.

    `here` is the handle of the current session.
    """
    t = texts(language)
    rows = [_session(form, each, here, language) for each in sessions]
    others = any(each.handle != here for each in sessions)
    leave = _section_row(submit(t("Sign out everywhere else"), "plain"))
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
    """Return the section with the form that downloads the account's data."""
    t = texts(language)
    words = html.p(
        t("All that is kept about you, as a file that other programs can read (JSON), up to three times a day.")
    )
    download = plain_form(
        form, _section_row(submit(t("Download my data"), "plain")), action="/profile/export", leaves=False
    )
    return section(t("Your data"), _body(*answers(form, t), words, download), name="data")


def leaving_section(form: Form, profile: Profile, language: str) -> VdomDict:
    """Return the section that explains deletion, with the form that deletes the account."""
    t = texts(language)
    words = html.p(
        t(
            "Deleting your account deletes your ratings, recommendations, session comments and reactions. Posts and "
            "their comments stay, shown as by a former member. It cannot be undone."
        )
    )
    before = html.p(link("#data", t("Download your data first")))
    inputs = _owner(form, profile, t) if profile.has_password else []
    delete = _section_row(submit(t("Delete account"), "plain"))
    again_first = None if profile.has_password else html.p(t("You will be asked to sign in once more before."))
    return section(
        t("Leaving"),
        _body(
            *answers(form, t), words, before, again_first, plain_form(form, *inputs, delete, action="/profile/delete")
        ),
        name="leaving",
    )


def _owner(form: Form, profile: Profile, t: Texts) -> list[Markup]:
    """Return the password field, after a hidden field with the address for password managers."""
    known = {"type": "email", "name": "email", "autoComplete": "username", "readOnly": True, "hidden": True}
    inputs = entries(form, [replace(password(t), more={"id": "leaving-password"})], t)
    return [html.input({**known, "defaultValue": profile.email}), *inputs]


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


def _section_row(*children: Markup) -> VdomDict:
    return html.div({"class": "row"}, *children)


SETTINGS = ""  # the address's `tab`
PATH = "/profile"
SECURE = re.compile(SECURE_ADDRESS.replace("$", r"\Z"))


@dataclass(frozen=True, slots=True)
class Own:
    """The page data: the viewer's account, and the answer to one of its forms."""

    account_id: int
    profile: Profile
    sessions: tuple[OwnSession, ...]
    here: str  # the handle of the current session
    defaults: Defaults
    factors: Factors
    tab: str
    form_name: str = ""  # the form that `form` answers
    form: Form = field(default_factory=Form)
    sort: LedgerSort = LedgerSort.PLAYED  # of the ratings
    show: str = ""  # the state of the ratings that are shown
    ratings: Ledger = ()
    hidden: Hidden = ()  # the viewer's hidden texts
    covering: Covering = NO_COVERING
    notifications: OwnPreferences = NO_PREFERENCES


def load(request: PageRequest) -> Page:
    """Return the viewer's profile; `?tab=` selects the tab, `?answer=` the form answer. 404 without an account."""
    t = request.t
    account_id = request.viewer.id or 0
    profile, topic = profile_get(user_id=account_id), f"account.{account_id}"
    if profile is None:
        return not_found_page(t("Not authenticated"), ("/login", t("Log in")), topic)
    form_name, form = _answer(request.query.get("answer", ""), account_id)
    tab = RATINGS if request.query.get("tab") == RATINGS else SETTINGS
    own = Own(
        account_id=account_id,
        profile=profile,
        sessions=sessions_own(user_id=account_id),
        here=request.viewer.session,
        defaults=default_avatars(),
        factors=factors_get(user_id=account_id),
        tab=tab,
        form_name=form_name,
        form=form,
        sort=LedgerSort.of(request.query.get("sort", "")),
        show=shown_state(request.query.get("show", "")),
        ratings=ledger_get(account_id=account_id) if tab == RATINGS else (),
        hidden=own_hidden(user_id=account_id) if tab == SETTINGS else (),
        covering=covering_get(user_id=account_id) if tab == SETTINGS else NO_COVERING,
        notifications=preferences_own(user_id=account_id) if tab == SETTINGS else NO_PREFERENCES,
    )
    return Page(
        description=t("Your username, your picture, your password and your own ratings."),
        component=profile_page,
        data=own,
        topics=(topic, "default_avatars"),
    )


def _answer(answer_id: str, account_id: int) -> tuple[str, Form]:
    """Return the name of the answered form, and the form with values, errors and messages; empty if unknown."""
    answer = answer_get(answer_id=answer_id, user_id=account_id) if answer_id else None
    if answer is None:
        return "", Form()
    name, data = answer
    errors: Mapping[str, Any] = data.get("errors", {})
    return name, Form(
        values=data.get("values", {}),
        errors={each: tuple(words) for each, words in errors.items()},
        messages=tuple(FormMessage(text, is_good) for text, is_good in data.get("messages", ())),
    )


@component
def profile_page(page: Page) -> VdomDict:
    """Render the title with the viewer's picture, the tabs, and the content of the open tab."""
    no_address: str | None = None
    typed, set_typed = use_state(no_address)  # the picture's address, after its field lost focus
    t, own, token = texts(page.language), page.data, use_token()
    if not isinstance(own, Own):
        raise TypeError("the profile's page shows what its load has read")

    async def on_picture(event: dict[str, Any]) -> None:
        match event:
            case {"target": {"value": str(address)}}:
                set_typed(address)

    addresses = {SETTINGS: PATH, RATINGS: ADDRESS}
    tab_links = tabs(
        t("About you"),
        [(addresses[SETTINGS], t("Profile Settings")), (addresses[RATINGS], t("My Ratings"))],
        addresses[own.tab],
    )
    entered = own.form.values.get("avatar_url", own.profile.avatar_url) if typed is None else typed
    likeness = _likeness(own, entered)
    inside = (
        _ratings(own, page.language)
        if own.tab == RATINGS
        else _settings(own, token, likeness, on_picture, page.language)
    )
    return main(
        _heading(own, page.title),
        html.div({"class": "sheet"}, tab_links),
        html.div({"class": "profile"}, *inside),
    )


def _likeness(own: Own, address: str, size: str = "") -> VdomDict:
    """Return the viewer's disc with the picture at `address`, or the default if a profile may not use that address."""
    name, own_picture = own.profile.username, SECURE.fullmatch(address) and is_picture_address(address)
    return disc(name, initials(name), address if own_picture else own.defaults.user_avatar_url, size=size)


def _heading(own: Own, name: str) -> VdomDict:
    return html.div(
        {"class": "sheet portrait"},
        html.div({"class": "hang"}, _likeness(own, own.profile.avatar_url, "large")),
        html.div({"class": "body"}, title(name), html.p({"translate": "no"}, own.profile.username)),
    )


def _settings(own: Own, token: str, likeness: VdomDict, on_picture: OnPicture, language: str) -> list[Markup]:
    def form(name: str) -> Form:
        return replace(own.form if own.form_name == name else Form(), token=token)

    settings = replace(form("settings"), hidden={TYPED_BY: form_owner_sign(own.account_id)})

    return [
        key("hidden", hidden_texts(own.hidden, language)),
        settings_section(settings, own.profile, likeness, on_picture, language),
        notification_choices(own.notifications, language),
        key("ears", ears_first(own.covering, language)),
        factors_section(own.factors, language),
        sessions_section(form("sessions"), own.sessions, own.here, language),
        data_section(form("data"), language),
        leaving_section(form("leaving"), own.profile, language),
    ]


def _ratings(own: Own, language: str) -> list[Markup]:
    return [key("ratings", my_ratings(own.sort, own.show, own.ratings, language))]
