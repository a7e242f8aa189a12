"""Signing in: the page "Log in", its reason, the second step, and the return from Google."""

import re
from collections.abc import Sequence

from apps.core.texts import Texts
from components.pages.account.screen import AccountScreen, code, email, password
from components.runtime import Form, Markup, PageRequest, Refresh, VdomDict, html
from components.ui.blocks import button_link, link
from components.ui.empty_states import message
from components.ui.forms import check
from components.ui.frames import aside, either
from components.ui.posted_forms import PASSKEY_SCRIPTS, answers, onward, passkey, plain_form, submit

RATE, RECOMMEND, COMMENT, REACT, POST = "rate", "recommend", "comment", "react", "post"
PAGES = r"/(?:participants|sessions)/[0-9]+(?:\?[^#]*)?"
REASONS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(PAGES + r"#rating-[0-9]+"), RATE),
    (re.compile(r"/sessions/[0-9]+\?open=[0-9]+#appearance-[0-9]+"), RATE),
    (re.compile(PAGES + r"#advance-[0-9]+"), RECOMMEND),
    (re.compile(r"/sessions/[0-9]+(?:\?[^#]*)?#comments"), COMMENT),
    (re.compile(r"/sessions/[0-9]+(?:\?[^#]*)?#reactions"), REACT),
    (re.compile(r"/community(?:\?[^#]*)?#react-[0-9]+"), REACT),
    (re.compile(r"/community(?:\?[^#]*)?#comments-[0-9]+"), COMMENT),
    (re.compile(r"/community(?:\?[^#]*)?"), POST),
)
READ_FOR = 3  # seconds before the browser goes on from an error of Google's to the sign-in


def login(request: PageRequest) -> AccountScreen:
    """Return the sign-in page: e-mail and password, Google, a passkey, or a mailed link at the rate limit."""
    t, form = request.t, request.form
    to = form.extra.get("passkey", "")
    by_passkey = [passkey(form, t("Log in with a passkey"), "get", action=to, look="plain", t=t)] if to else []
    return AccountScreen(
        form=form,
        title=t("Log in"),
        description=t("Log in to rate what you hear, to comment and to react."),
        description_as="head",
        has_answers=False,  # they are below the reason
        above=[
            *reason(form.hidden.get("next", ""), is_kept=form.extra.get("is_kept", True), t=t),
            *answers(form, t),
            *_by_link(form, t),
            *google(form, t("Sign in with Google"), t),
        ],
        fields=[email(t, "login", "username webauthn"), password(t), _beside(form, t)],
        submit=t("Log in"),
        below=[
            *by_passkey,
            aside(t("Without a password?"), " ", link(onward("/login/link", form), t("Log in by e-mail"))),
            aside(t("No seat yet?"), " ", link(onward("/register", form), t("Register"))),
        ],
        foot=t("Admit one"),
        scripts=PASSKEY_SCRIPTS,
    )


def reason_of(path: str) -> str:
    """Return the reason for signing in from this path, derived from its pattern alone, empty if none matches."""
    return next((reason for pattern, reason in REASONS if pattern.fullmatch(path)), "")


def reason(path: str, *, is_kept: bool, t: Texts) -> list[Markup]:
    """Return the sentence for a visitor from this path; `is_kept` adds that the browser keeps the typed values."""
    why, kept = {
        RATE: (t("Sign in to rate."), t("Your marks are kept.")),
        RECOMMEND: (t("Sign in to recommend."), t("Your marks are kept.")),
        COMMENT: (t("Sign in to comment."), t("Your words are kept.")),
        REACT: (
            t("Sign in to react."),
            t("A reaction that you pressed is kept for 15 minutes, and given once you are in."),
        ),
        POST: (t("Sign in to post, react and comment."), ""),
    }.get(reason_of(path), ("", ""))
    words = html.span({"class": "scripted"}, " ", kept) if kept and is_kept else None
    return [html.p({"class": "lead"}, why, words)] if why else []


def google(form: Form, words: str, t: Texts) -> list[VdomDict]:
    """Return the button with the label `words` and a separator "or"; empty if Google is not configured."""
    to = form.extra.get("google", "")
    return [plain_form(form, submit(words, "plain"), action=to), either(t("or"))] if to else []


def _by_link(form: Form, t: Texts) -> list[VdomDict]:
    """Return the form that requests a mailed link, shown after the rate limit of attempts, else an empty list.

    Guesses by other people may have used up the limit.
    """
    to = form.extra.get("link", "")
    if not to:
        return []
    words = [t("You need no password to log in: we can send a link to your address.")]
    if form.extra.get("google") or form.extra.get("passkey"):
        words.append(t("The other ways in on this page work, too."))
    address = html.input({"type": "hidden", "name": "email", "value": form.values.get("login", "")})
    return [html.p(" ".join(words)), plain_form(form, address, submit(t("Send me a link")), action=to)]


def _beside(form: Form, t: Texts) -> VdomDict:
    ticked = bool(form.values.get("remember"))
    return html.div(
        {"class": "row row--apart"},
        check(t("Remember me"), "remember", defaultChecked=ticked),
        link(onward("/forgot-password", form), t("Forgot password")),
    )


def two_factor(request: PageRequest) -> AccountScreen:
    """Return the second step: `code` and `passkey` in `extra` are the available factors."""
    t, form = request.t, request.form
    has_code = form.extra.get("code", True)
    hint = t("From your authenticator app, or one of your recovery codes.")
    return AccountScreen(
        form=form,
        title=t("One more step"),
        description=t("Your account is guarded by more than a password."),
        fields=[code(t, hint)],
        submit=t("Log in") if has_code else "",
        below=[
            *passkey_way(form, t("Use a passkey"), action="/two-factor", after=has_code, t=t),
            aside(t("Nothing at hand?"), " ", link("/contact", t("Write to us"))),
        ],
        foot=t("Row by row"),
        scripts=PASSKEY_SCRIPTS,
    )


def passkey_way(form: Form, words: str, *, action: str, after: bool, t: Texts) -> list[VdomDict]:
    """Return the passkey button if the account has a passkey, with a separator "or" if it is `after` a form."""
    if not form.extra.get("passkey"):
        return []
    button = passkey(form, words, "get", action=action, look="plain" if after else "", t=t)
    return [either(t("or")), button] if after else [button]


def callback(request: PageRequest) -> AccountScreen:
    """Return the page to which Google redirects after its sign-in; the browser continues at once.

    `extra["onward"]` is the address that completes it, or the home page for a signed-in viewer. The default is the
    sign-in.
    """
    t = request.t
    to = request.form.extra.get("onward", "/login")
    words = {"/login": t("Return to login"), "/": t("Home")}.get(to, t("Go on"))
    return AccountScreen(
        form=request.form,
        title=t("Finalizing login..."),
        description=t("Your sign-in with Google is being finished."),
        description_as="lead",
        has_answers=False,
        below=[button_link(to, words)],  # for browsers that ignore the refresh
        foot=t("Admit one"),
        refresh=Refresh(to, 0),
    )


def callback_failed(request: PageRequest) -> AccountScreen:
    """Return the page with the error; after three seconds the browser continues to `onward`, by default the sign-in."""
    t, form = request.t, request.form
    to = form.extra.get("onward", "/login")
    errors = form.errors.get("") or (t("Error during login. Please try again."),)
    return AccountScreen(
        form=form,
        title=t("Log in"),
        description=t("Signing in with Google did not work."),
        description_as="head",
        has_answers=False,
        above=[message(t(error), good=False) for error in errors],
        below=[button_link(to, t("Return to login"))],
        foot=t("Not valid"),
        refresh=Refresh(to, READ_FOR),
    )
