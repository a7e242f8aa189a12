"""The account's second factors: the overview, an administrator's first one, an authenticator app, recovery codes."""

from dataclasses import replace

from apps.accounts.selectors.own_account import Factors
from apps.core.texts import Texts
from components.pages.account.screen import AccountScreen, code
from components.runtime import Form, Markup, PageRequest, VdomDict, html
from components.ui.blocks import button_link, link, qr
from components.ui.empty_states import message
from components.ui.frames import aside
from components.ui.posted_forms import plain_form, submit

PATH = "/profile/two-factor"
APP, APP_OFF = f"{PATH}/app", f"{PATH}/app/off"
CODES = f"{PATH}/codes"
PASSKEYS = "/profile/passkeys"
SEND = "/first-factor/send"
CONFIRM = "/reauthenticate?next=/admin"
GROUP = 4  # characters in each displayed group of an app's secret


def overview(request: PageRequest) -> AccountScreen:
    """Return the page "Signing in safely" with `extra["factors"]`, each with its state and link."""
    t = request.t
    form = replace(request.form, hidden={})  # its form leads back to this page
    factors, is_allowed = form.extra.get("factors", Factors()), form.extra.get("allowed", True)
    description = t("A passkey, or a code from an app: whoever learns your password still stays outside.")
    lacking = _lacking(form, factors, t, is_allowed=is_allowed) if request.viewer.lacks_factor else []
    listed = html.ul({"class": "seats"}, *rows(factors, t)) if factors.is_there or is_allowed else None
    return AccountScreen(
        form=form,
        title=t("Signing in safely"),
        description=description,
        description_as="head",
        above=[*lacking, html.p(description), listed],
        below=[aside(link("/profile", t("Back to your profile")))],
        foot=t("Yours"),
    )


def _lacking(form: Form, factors: Factors, t: Texts, *, is_allowed: bool) -> list[VdomDict]:
    """Return the message about an administrator's missing second factor, and the next step if one is possible here."""
    if factors.is_there:
        unproved = t("This browser has not shown your second factor yet. You need it to run the site.")
        return [message(unproved, good=False), button_link(CONFIRM, t("Confirm that it is you"))]
    notice = message(t("Administrators need one of these before they can run the site."), good=False)
    if is_allowed:
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


def first_factor(request: PageRequest) -> AccountScreen:
    """Return the page of a mailed link: its button allows an administrator's first second factor in this browser."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Your second factor"),
        description=t("Set up your first second factor in this browser."),
        description_as="lead",
        submit=t("Go on"),
        below=[aside(t("You did not ask for it? Then close this page, and choose a new password."))],
        foot=t("Yours"),
    )


def first_factor_unusable(request: PageRequest) -> AccountScreen:
    """Return the page for an unusable link."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Your second factor"),
        description=t("This link has been used, it is older than an hour, or it is for another account."),
        description_as="lead",
        above=[button_link(PATH, t("Back to signing in safely"))],
        foot=t("Not valid"),
    )


def app(request: PageRequest) -> AccountScreen:
    """Return the page that sets up an authenticator app, with its secret and the field for the first code.

    `extra` contains `totp_url`, `secret` and `signed_secret`.
    """
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Authenticator app"),
        description=t("Scan this with your authenticator app, then type the code that it shows."),
        above=_secret(form, t),
        fields=[
            html.input({"type": "hidden", "name": "secret", "value": form.extra.get("signed_secret", "")}),
            code(t),
        ],
        submit=t("Turn on"),
        below=[_back(t)],
        foot=t("Yours"),
    )


def _secret(form: Form, t: Texts) -> list[Markup]:
    """Return the app's secret as a QR code and as text; empty if it is unknown."""
    secret, address = form.extra.get("secret", ""), form.extra.get("totp_url", "")
    if not secret:
        return []
    groups = " ".join(secret[at : at + GROUP] for at in range(0, len(secret), GROUP))
    typed = html.p(t("Or type this key into the app:"), " ", html.code({"class": "secret"}, groups))
    return [qr(address, t("The key of your authenticator app, to be scanned")), typed]


def _back(t: Texts) -> VdomDict:
    return aside(link(PATH, t("Leave it as it is")))


def app_off(request: PageRequest) -> AccountScreen:
    """Return the page that asks for confirmation to turn off the app."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Turn off the authenticator app?"),
        description=t("Without it, your password alone opens your account, unless you have a passkey."),
        submit=t("Turn off"),
        below=[_back(t)],
        foot=t("Not valid"),
    )


def codes(request: PageRequest) -> AccountScreen:
    """Return the page with the unused recovery codes (`extra["unused_codes"]`), and links to save and replace them."""
    t, form = request.t, request.form
    unused = form.extra.get("unused_codes", ())
    listed: list[Markup] = [
        html.ul({"class": "codes"}, *(html.li({"key": each}, html.code(each)) for each in unused)),
        html.p(t("Keep them where you keep what matters, not on the phone that they replace.")),
        button_link(f"{CODES}/download", t("Download")),
    ]
    return AccountScreen(
        form=form,
        title=t("Recovery codes"),
        description=t("Each of these lets you in once when your phone or your passkey is not at hand."),
        above=listed if unused else [html.p(t("You have used all of them."))],
        below=[
            button_link(f"{CODES}/new", t("Make new ones"), "plain"),
            aside(link(PATH, t("Back to signing in safely"))),
        ],
        foot=t("Spare keys"),
    )


def codes_new(request: PageRequest) -> AccountScreen:
    """Return the page that asks for confirmation to replace the codes."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Make new recovery codes?"),
        description=t("The codes that you have now will no longer work."),
        submit=t("Make new ones"),
        below=[_back(t)],
        foot=t("Spare keys"),
    )
