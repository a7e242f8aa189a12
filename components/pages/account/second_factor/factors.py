"""The page "Signing in safely": the account's second factors, with a link to each."""

from apps.accounts.selectors.own_account import Factors
from apps.core.texts import Texts, texts
from components.runtime import Form, Markup, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button_link, link
from components.ui.empty_states import message
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, plain_form, submit

PATH = "/profile/two-factor"
APP, APP_OFF = f"{PATH}/app", f"{PATH}/app/off"
CODES = f"{PATH}/codes"
PASSKEYS = "/profile/passkeys"
SEND = "/first-factor/send"
CONFIRM = "/reauthenticate?next=/admin"


def screen(request: PageRequest) -> Page:
    """Return the overview page; `extra["factors"]` contains the factors."""
    t = request.t
    description = t("A passkey, or a code from an app: whoever learns your password still stays outside.")
    extra = {"factors": Factors(), "allowed": True, "lacks": request.viewer.lacks_factor, **request.form.extra}
    data = Form(token=request.form.token, messages=request.form.messages, errors=request.form.errors, extra=extra)
    return Page(title=t("Signing in safely"), description=description, component=factors_page, data=data)


@component
def factors_page(page: Page) -> VdomDict:
    """Render each factor with its state and link."""
    form: Form = page.data
    t = texts(page.language)
    factors: Factors = form.extra["factors"]
    return ticket(
        page.title,
        *answers(form, t),
        *(_lacking(form, factors, t) if form.extra["lacks"] else ()),
        html.p(page.description),
        html.ul({"class": "seats"}, *rows(factors, t)) if factors.is_there or form.extra["allowed"] else None,
        aside(link("/profile", t("Back to your profile"))),
        foot=t("Yours"),
        t=t,
    )


def _lacking(form: Form, factors: Factors, t: Texts) -> list[VdomDict]:
    """Return the message about an administrator's missing second factor, and the next step if one is possible here."""
    if factors.is_there:
        unproved = t("This browser has not shown your second factor yet. You need it to run the site.")
        return [message(unproved, good=False), button_link(CONFIRM, t("Confirm that it is you"))]
    notice = message(t("Administrators need one of these before they can run the site."), good=False)
    if form.extra["allowed"]:
        return [notice]
    why = html.p(t("Your first one needs more than your password: open a link that we send to your address."))
    return [notice, why, plain_form(form, submit(t("Send the link")), action=SEND)]


def rows(factors: Factors, t: Texts) -> list[VdomDict]:
    """Return the rows of passkeys, authenticator app and, if there are any, recovery codes."""
    count = len(factors.passkeys)
    passkeys = t("%(count)d set up") % {"count": count} if count else t("None yet")
    app = (APP_OFF, t("Turn off")) if factors.has_app else (APP, t("Set up"))
    items = [
        _row("passkeys", t("Passkeys"), passkeys, (PASSKEYS, t("Manage") if count else t("Set up"))),
        _row("app", t("Authenticator app"), t("On") if factors.has_app else t("Off"), app),
    ]
    if factors.has_codes:
        items.append(
            _row("codes", t("Recovery codes"), t("For the day on which your phone is lost"), (CODES, t("Show")))
        )
    return items


def _row(name: str, heading: str, state: str, way: tuple[str, str]) -> VdomDict:
    to, words = way
    hidden_words: Markup = html.span({"class": "visually-hidden"}, f": {heading}")
    return html.li(
        {"key": name},
        html.div(html.p({"class": "seats__name"}, heading), html.p({"class": "seats__when"}, state)),
        link(to, words, hidden_words),
    )
