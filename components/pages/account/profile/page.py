"""One's own profile: settings, where one is signed in, one's data, leaving."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.form_owner import TYPED_BY, form_owner_sign
from apps.accounts.selectors import (
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
from apps.community.selectors import own_hidden
from apps.core.text_rules.names import initials
from apps.core.text_rules.validators import SECURE_ADDRESS, is_picture_address
from apps.core.texts import texts
from components.form import Form, FormMessage
from components.hooks.connection import use_token
from components.markup import Markup, VdomDict, component, html, key, use_state
from components.page import Page, Params, Query
from components.pages.account.profile.hidden_texts import Hidden, hidden_texts
from components.pages.account.profile.my_ratings import NO_RATINGS, Ratings, my_ratings, own_read
from components.pages.account.profile.sections import (
    OnPicture,
    data_section,
    factors_section,
    leaving_section,
    sessions_section,
    settings_section,
)
from components.pages.public.not_found import not_found_page
from components.ui.blocks import tabs
from components.ui.frames.page_grid import main, title
from components.ui.people import disc

SETTINGS, RATINGS = "", "ratings"  # the address's `tab`
PATH = "/profile"
SECURE = re.compile(SECURE_ADDRESS.replace("$", r"\Z"))


@dataclass(frozen=True, slots=True)
class Own:
    """The viewer's data for the page, and the answer of one of its forms."""

    account_id: int
    profile: Profile
    sessions: tuple[OwnSession, ...]
    here: str  # the handle of the session in which the page is shown
    defaults: Defaults
    factors: Factors
    tab: str
    form_name: str = ""  # the form that was answered
    form: Form = field(default_factory=Form)
    before: str = ""  # where the list of ratings begins
    ratings: Ratings = NO_RATINGS
    hidden: Hidden = ()  # texts of one's own


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return one's own profile; `tab` in the address is the open tab."""
    t = texts(language)
    account_id = viewer.id or 0
    profile, topic = profile_get(user_id=account_id), f"account.{account_id}"
    if profile is None:
        return not_found_page(t("Not authenticated"), ("/login", t("Log in")), topic)
    form_name, form = _answer(query.get("answer", ""), account_id)
    tab = RATINGS if query.get("tab") == RATINGS else SETTINGS
    before = query.get("before", "")
    own = Own(
        account_id=account_id,
        profile=profile,
        sessions=sessions_own(user_id=account_id),
        here=viewer.session,
        defaults=default_avatars(),
        factors=factors_get(user_id=account_id),
        tab=tab,
        form_name=form_name,
        form=form,
        before=before,
        ratings=own_read(account_id=account_id, before=before) if tab == RATINGS else NO_RATINGS,
        hidden=own_hidden(user_id=account_id) if tab == SETTINGS else (),
    )
    return Page(
        description=t("Your username, your picture, your password and your own ratings."),
        component=profile_page,
        data=own,
        topics=(topic, "default_avatars"),
    )


def _answer(answer_id: str, account_id: int) -> tuple[str, Form]:
    """Return the name of the form that was answered, and the form with values, errors and messages."""
    found = answer_get(answer_id=answer_id, user_id=account_id) if answer_id else None
    if found is None:
        return "", Form()
    name, data = found
    errors: Mapping[str, Any] = data.get("errors", {})
    return name, Form(
        values=data.get("values", {}),
        errors={each: tuple(words) for each, words in errors.items()},
        messages=tuple(FormMessage(text, is_good) for text, is_good in data.get("messages", ())),
    )


@component
def profile_page(page: Page) -> VdomDict:
    """The title with one's picture, the tabs, and the content of the open one."""
    nothing: str | None = None
    typed, set_typed = use_state(nothing)  # the picture's address, once its field was left
    t, own, token = texts(page.language), page.data, use_token()
    if not isinstance(own, Own):
        raise TypeError("the profile's page shows what its load has read")

    async def on_picture(event: dict[str, Any]) -> None:
        match event:
            case {"target": {"value": str(address)}}:
                set_typed(address)

    addresses = {SETTINGS: PATH, RATINGS: f"{PATH}?tab={RATINGS}"}
    ways = tabs(
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
        html.div({"class": "sheet"}, ways),
        html.div({"class": "profile"}, *inside),
    )


def _likeness(own: Own, address: str, size: str = "") -> VdomDict:
    """Return one's disc with the picture at this address, or the default where it is none that a profile may have."""
    name, own_picture = own.profile.username, SECURE.fullmatch(address) and is_picture_address(address)
    return disc(name, initials(name), address if own_picture else own.defaults.user_avatar_url, size=size)


def _heading(own: Own, name: str) -> VdomDict:
    return html.div(
        {"class": "sheet portrait"},
        html.div({"class": "hang"}, _likeness(own, own.profile.avatar_url, "large")),
        html.div({"class": "body"}, title(name), html.p(own.profile.username)),
    )


def _settings(own: Own, token: str, likeness: VdomDict, on_picture: OnPicture, language: str) -> list[Markup]:
    def form(name: str) -> Form:
        return replace(own.form if own.form_name == name else Form(), token=token)

    settings = replace(form("settings"), hidden={TYPED_BY: form_owner_sign(own.account_id)})

    return [
        key("hidden", hidden_texts(own.hidden, language)),
        settings_section(settings, own.profile, likeness, on_picture, language),
        factors_section(own.factors, language),
        sessions_section(form("sessions"), own.sessions, own.here, language),
        data_section(form("data"), language),
        leaving_section(form("leaving"), own.profile, language),
    ]


def _ratings(own: Own, language: str) -> list[Markup]:
    return [key(f"ratings-{own.before}", my_ratings(own.before, own.ratings, language))]
