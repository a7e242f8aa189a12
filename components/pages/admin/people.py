"""The page "People": accounts, searched by name or e-mail address, and the administrators' actions on them."""

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from apps.accounts.selectors.own_account import default_avatars
from apps.accounts.selectors.people import PEOPLE_PAGE, PeopleFilter, Person, people_list
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from components.runtime import Markup, Page, PageRequest, VdomDict, command_button, component, html
from components.ui import forms
from components.ui.blocks import badge, list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, backstage, row, rows, search, tools
from components.ui.people import disc
from components.ui.venue_time import ago, day, day_text

PATH = "/admin/people"


@dataclass(frozen=True, slots=True)
class People:
    """The accounts that match the filters in the address."""

    query: str
    which: PeopleFilter
    page: KeysetPage[Person]
    avatar: str  # the default picture


def load(request: PageRequest) -> Page:
    """Return the page of accounts for the search (`q`) and the filter (`show`) in the address."""
    t, text = request.t, request.search_text()
    shown = request.query.get("show", "")
    which = PeopleFilter(shown) if shown in set(PeopleFilter) else PeopleFilter.EVERYBODY
    read = partial(people_list, actor=request.viewer, query=text, which=which)
    page = keyset_page(
        read, lambda each: Cursor(each.created_at, each.id), before=request.query.get("before", ""), size=PEOPLE_PAGE
    )
    return Page(
        description=t("Who has an account, and who may do what."),
        component=people_page,
        data=People(text, which, page, default_avatars().user_avatar_url),
        topics=tuple(f"account.{each.id}" for each in page.rows),
    )


@component
def people_page(page: Page) -> VdomDict:
    """Render the search, the accounts, and links to more of them."""
    t, language, people = texts(page.language), page.language, page.data
    narrowed = bool(people.query or people.which)
    empty_text = t("No people found matching your criteria.") if narrowed else t("Nobody has an account yet.")
    persons = people.page.rows
    return backstage(
        page.title,
        tools(_search(people, language)),
        skeleton(),
        answered_list(
            rows(*(_row(each, people.avatar, language) for each in persons)) if persons else empty(empty_text),
            list_ways(_at(people), people.page, t("Show older"), t, look="row queue__ways"),
        ),
        page=page,
    )


def _at(people: People) -> str:
    """Return the address of the list with these filters."""
    query = {name: value for name, value in (("q", people.query), ("show", people.which.value)) if value}
    return PATH + (f"?{urlencode(query)}" if query else "")


def _search(people: People, language: str) -> VdomDict:
    t = texts(language)
    choices = [
        (PeopleFilter.EVERYBODY, t("Everybody")),
        (PeopleFilter.NEW, t("New this week")),
        (PeopleFilter.ADMINISTRATORS, t("Administrators")),
        (PeopleFilter.CLOSED, t("Closed accounts")),
    ]
    begins = t("Name or address begins with")
    return search(
        PATH,
        forms.field(begins, "q", value=people.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"),
        forms.select(t("Show"), "show", [(choice.value, words) for choice, words in choices], people.which.value),
        language=language,
    )


def _row(person: Person, avatar: str, language: str) -> VdomDict:
    t, zone = texts(language), venue_zone()
    seen = [" · ", t("last seen "), ago(person.seen_at, zone=zone, language=language)] if person.seen_at else []
    times = [
        t("Since "),
        day(person.created_at, zone=zone, language=language),
        *seen,
        " · ",
        *_signed_in(person, language),
    ]
    return row(
        f"person-{person.id}",
        html.h2({"translate": "no"}, person.username),
        html.p({"class": "entries__about"}, _address(person, t), " · ", _confirmed(person, t)),
        html.p({"class": "entries__about"}, html.span(*times), *_badges(person, t)),
        _before_appointment(person, t),
        acts=_acts(person, language),
        aside=disc(person.username, initials(person.username), person.avatar_url or avatar),
        look="entries__row--person",
    )


def _address(person: Person, t: Texts) -> str:
    return t("registered with another account's address") if person.is_held else person.email


def _confirmed(person: Person, t: Texts) -> str:
    return t("address confirmed") if person.is_confirmed else t("address not confirmed")


def _signed_in(person: Person, language: str) -> list[Markup]:
    t = texts(language)
    if person.signed_in_at is None:
        return [t("never signed in")]
    return [t("last signed in "), day(person.signed_in_at, zone=venue_zone(), language=language)]


def _badges(person: Person, t: Texts) -> list[Markup]:
    return [
        badge(t("Administrator"), "now") if person.is_admin else None,
        badge(t("Closed"), "quiet") if not person.is_active else None,
        badge(t("Locked out"), "quiet") if person.is_locked_out else None,
        badge(t("New"), "quiet") if person.is_new else None,
    ]


def _acts(person: Person, language: str) -> list[Markup]:
    """Return the buttons of the possible actions, least severe first."""
    t = texts(language)
    return [
        _unlock(person, t) if person.is_locked_out else None,
        _factors(person, t) if person.has_factor else None,
        _revoke(person, t) if person.is_admin else _grant(person, language),
        _close(person, t) if person.is_active else _open(person, t),
    ]


def _unlock(person: Person, t: Texts) -> VdomDict:
    ask, label = t("Let {name} try to sign in again?"), t("Let in")
    words = t("Failed sign-ins are forgotten, from everywhere. Make sure that it is the owner who asks.")
    return _button(
        person, label, command_button("account_unlock", person.id, **_question(person, ask, words, label, t)), t
    )


def _factors(person: Person, t: Texts) -> VdomDict:
    ask, label = t("Forget the second factors of {name}?"), t("Forget second factor")
    words = t("Make sure that it is the owner who asks. All their windows are signed out, and they get a mail.")
    return _button(
        person, label, command_button("factors_forget", person.id, **_question(person, ask, words, label, t)), t
    )


def _before_appointment(person: Person, t: Texts) -> Markup:
    """Return the requirements for an account that cannot be appointed administrator yet; None for other accounts."""
    if person.is_admin or person.may_be_appointed:
        return None
    return html.p({"class": "small muted"}, t("Can be appointed after confirming the address and signing in."))


def _grant(person: Person, language: str) -> Markup:
    t = texts(language)
    if not person.may_be_appointed or person.signed_in_at is None:
        return None
    ask, label = t("Make {name} an administrator?"), t("Make administrator")
    signed_in = day_text(person.signed_in_at, zone=venue_zone(), language=language)
    about = t("{email}, address confirmed, last signed in on {day}.").format(email=person.email, day=signed_in)
    words = f"{about} {t('Administrators may do everything here.')}"
    return _button(
        person, label, command_button("admin_grant", person.id, **_question(person, ask, words, label, t)), t
    )


def _revoke(person: Person, t: Texts) -> VdomDict:
    ask, label = t("Take the administration from {name}?"), t("Dismiss")
    words = t("The account stays. What is open in its windows closes at once.")
    return _button(
        person, label, command_button("admin_revoke", person.id, **_question(person, ask, words, label, t)), t
    )


def _close(person: Person, t: Texts) -> VdomDict:
    ask, label = t("Close the account of {name}?"), t("Close account")
    words = t(
        "All their windows are signed out, and nobody can sign in until it is opened again. Their marks are neither "
        "shown nor counted while it lasts."
    )
    return _button(
        person, label, command_button("account_deactivate", person.id, **_question(person, ask, words, label, t)), t
    )


def _open(person: Person, t: Texts) -> VdomDict:
    ask, label = t("Open the account of {name} again?"), t("Open account")
    words = t("Its owner can sign in again. Their marks show and count as before.")
    return _button(
        person, label, command_button("account_activate", person.id, **_question(person, ask, words, label, t)), t
    )


def _question(person: Person, ask: str, words: str, label: str, t: Texts) -> dict[str, str]:
    """Return the attributes of the confirmation; its "yes" has the button's label."""
    return {"busy": t("Processing..."), "confirm": ask.format(name=person.username), "words": words, "yes": label}


def _button(person: Person, label: str, doing: dict[str, str], t: Texts) -> VdomDict:
    named = {"aria-label": t("{action}: {name}").format(action=label, name=person.username)}
    return html.button({"class": "button button--plain button--small"} | doing | named, label)
