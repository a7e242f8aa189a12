"""Errors of the error log as rows: when, how severe, what happened, where, and the details."""

import json

from apps.core.database.fields import venue_zone
from apps.core.enums import Severity
from apps.core.selectors import LoggedError
from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, html
from components.ui.blocks import badge, link
from components.ui.venue_time import ago

_COMMAND = "manage.py error_logs list --details"


def error_row(logged: LoggedError, language: str) -> VdomDict:
    """Return an error as a row with folded details."""
    t = texts(language)
    when = ago(logged.created_at, zone=venue_zone(), language=language)
    severity = badge(t(str(Severity(logged.severity).label)), "quiet")
    return html.li(
        {"key": f"error-{logged.id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, when, html.p({"class": "audit__who"}, severity)),
        html.div(
            {"class": "entries__what"},
            html.p({"class": "audit__what audit__text"}, logged.message, _times(logged.times, t)),
            html.p({"class": "small muted audit__text"}, *_where(logged, t)),
            _details(logged, t),
        ),
    )


def _times(times: int, t: Texts) -> Markup:
    return badge(t("{n} times").format(n=times), "quiet") if times > 1 else None


def _where(logged: LoggedError, t: Texts) -> list[Markup]:
    """Return the page's address, the account's id as a link, and the user agent, separated by dots."""
    account = f"#{logged.user_id}" if logged.user_id is not None else ""
    account_link = (
        link(f"/admin/people?q=%23{logged.user_id}", t("account {number}").format(number=account)) if account else ""
    )
    parts: list[Markup] = []
    for each in (logged.page_url, account_link, logged.user_agent):
        parts += [*([" · "] if parts else []), each] if each else []
    return parts


def _details(logged: LoggedError, t: Texts) -> Markup:
    if not logged.error_details:
        return None
    cut = html.p({"class": "small muted"}, t("The rest is on the terminal: {command}").format(command=_COMMAND))
    lines = html.pre({"class": "audit__text audit__trace", "tabIndex": 0}, _plain(logged.error_details))
    return html.details(html.summary({"class": "link"}, t("Details")), lines, cut if logged.is_cut else None)


def _plain(details: str) -> str:
    """Return the details with a line for each value; unchanged if they are no JSON object, such as when cut."""
    try:
        values = json.loads(details)
    except ValueError:
        return details
    if not isinstance(values, dict):
        return details
    return "\n".join(f"{name}: {value}" for name, value in values.items())
