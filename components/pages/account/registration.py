"""Registering, and confirming the address with a mailed link."""

from dataclasses import replace

from apps.accounts.registration import REGISTERED
from apps.core.texts import Texts
from apps.ratings.selectors.own import own_marked
from components.pages.account.screen import AccountScreen, again, email, new_password, password, username, whose
from components.pages.account.sign_in import RATE, google, reason_of
from components.runtime import Form, PageRequest, VdomDict, html
from components.ui.blocks import link
from components.ui.empty_states import message
from components.ui.frames import aside
from components.ui.posted_forms import Entry, answers, entries, onward, plain_form, submit

RESEND = "/verify-email/send"
SENT_AGAIN, READDRESS = "/register/sent/again", "/register/sent/address"
SENT = "We sent a link to {address}"
FITS = 24  # characters of an address that fit on one line of a phone
# draft-expiry.js puts the marks that were made signed out into it when the form is submitted
MARKS = html.input({"type": "hidden", "name": "marks", "defaultValue": "", "data-signed-out-marks": ""})


def register(request: PageRequest) -> AccountScreen:
    """Return the registration page."""
    t, form = request.t, request.form
    privacy = aside(t("What we keep and for how long:"), " ", link("/privacy", t("Privacy")))
    way_in = aside(t("Have a seat already?"), " ", link(onward("/login", form), t("Log in")))
    rates = reason_of(form.hidden.get("next", "")) == RATE
    kept = html.span({"class": "scripted"}, " ", t("Your marks are kept."))
    first = [html.p({"class": "lead"}, t("Register to send your ratings."), kept), way_in] if rates else []
    return AccountScreen(
        form=form,
        title=t("Register"),
        description=t("Take a seat of your own: rate what you hear, comment, and react while it is played."),
        description_as="head",
        above=[*first, *google(form, t("Sign up with Google"), t)],
        fields=[MARKS, email(t, autocomplete="username"), new_password(t, t("Password")), username(t)],
        submit=t("Register"),
        below=[html.div(None if rates else way_in, privacy)],
        foot=t("Yours"),
    )


def registered(request: PageRequest) -> AccountScreen:
    """Return the page after a registration, identical for an address that has an account already.

    `extra["registration"]` is the registration, and `extra["done"]` what the viewer has just done here.
    """
    t, form = request.t, request.form
    registration = form.extra.get("registration")
    address = masked(registration.email) if registration else ""
    has_marks = registration is not None and bool(own_marked(user_id=registration.account_id))
    done = {"again": t("We sent it once more."), "changed": t("The address is changed. Former links no longer work.")}
    sentence = done.get(form.extra.get("done", ""), "") if not form.errors else ""
    is_readdress = "email" in form.values
    return AccountScreen(
        form=form,
        title=t("Check your mail"),
        description=t(SENT).format(address=address),
        description_as="head",
        has_answers=False,  # at the form that they answer
        above=[
            _sent(address, t),
            message(sentence, good=True) if sentence else None,
            html.p(t("It works for a day. If nothing comes, look among the unwanted mail, or have it sent again.")),
            html.p(t("Your marks are kept.")) if has_marks else None,
            *(() if is_readdress else answers(form, t)),
            plain_form(form, submit(t("Send it again"), "plain"), action=SENT_AGAIN),
            _readdress(form, t, is_open=is_readdress),
        ],
        below=[aside(t("Confirmed already?"), " ", link(onward("/login", form), t("Log in")))],
        foot=t("Nearly there"),
    )


def masked(address: str) -> str:
    """Return an address with the first letter and the domain only, because other people may see the screen."""
    name, _, domain = address.rpartition("@")
    return f"{name[:1]}…@{domain}"


def _sent(address: str, t: Texts) -> VdomDict:
    """Return the sentence about the mail; a short address stays on one line."""
    before, _, after = t(SENT).partition("{address}")
    around = {"class": "keep"} if len(address) <= FITS else {}
    return html.p({"class": "lead"}, before, html.span(around, address), after)


def _readdress(form: Form, t: Texts, *, is_open: bool) -> VdomDict:
    """Return the form for another address, folded until it has an error."""
    address = Entry("email", t("New e-mail address"), "email", "email")
    chosen = replace(password(t), hint=t("The one that you chose when you registered."))
    return html.details(
        {"class": "stack", **({"open": True} if is_open else {})},
        html.summary({"class": "link"}, t("Wrong address? Change it")),
        plain_form(
            form,
            *(answers(form, t) if is_open else ()),
            *entries(form, [address, chosen], t),
            submit(t("Change the address")),
            action=READDRESS,
        ),
    )


def closed(request: PageRequest) -> AccountScreen:
    """Return the page shown while registration is closed."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Register"),
        description=t("At the moment no new accounts are made."),
        description_as="lead",
        has_answers=False,
        below=[html.p(link("/login", t("Log in")))],
        foot=t("Full house"),
    )


def verify(request: PageRequest) -> AccountScreen:
    """Return the page that confirms the address by a button, because mail programs may open links by themselves.

    If the address was registered in another browser, `extra["asks"]` also asks for its "password" or a "new" one. The
    waiting message that asks to check the mail ends here: the mail has come.
    """
    t = request.t
    form = replace(request.form, messages=tuple(each for each in request.form.messages if each.text != t(REGISTERED)))
    address, asks = form.extra.get("email", ""), form.extra.get("asks", "")
    screen = AccountScreen(
        form=form,
        title=t("Verify e-mail"),
        description=t("Confirm that this address is yours."),
        description_as="lead",
        above=[html.p(html.strong(address))] if address else [],
        submit=t("Confirm"),
        below=[aside(t("Not yours? Then close this page, and nothing happens."))],
        foot=t("Admit one"),
    )
    registered = t("It was registered as {username} in another browser.").format(
        username=form.extra.get("username", "")
    )
    if asks == "password":
        why = html.p(registered, " ", t("Please enter the password that was chosen there."))
        other = aside(t("You do not know it?"), " ", link(form.extra["new"], t("Choose a new password")))
        return replace(screen, above=[why], fields=[*whose(form, t), password(t)], below=[other, *screen.below])
    if asks == "new":
        why = html.p(registered, " ", t("Choose a new password. Every other way to sign in ends with it."))
        return replace(screen, above=[why], fields=[*whose(form, t), new_password(t, t("New password")), again(t)])
    return screen


def verify_expired(request: PageRequest) -> AccountScreen:
    """Return the page for an unusable link."""
    t = request.t
    return _resend(
        request,
        title=t("Verify e-mail"),
        description=t("This link has been used, or it is older than a day."),
        words=t("If you have confirmed your address already, just log in. Otherwise we send a new link."),
        foot=t("Not valid"),
    )


def verify_sent(request: PageRequest) -> AccountScreen:
    """Return the page after a link was mailed."""
    t = request.t
    return _resend(
        request,
        title=t("Check your mail"),
        description=t("Open the link that we have sent to your address. Then you can log in."),
        words=t("It works for a day. If nothing comes, look among the unwanted mail, or have it sent again."),
        foot=t("Nearly there"),
    )


def _resend(request: PageRequest, *, title: str, description: str, words: str, foot: str) -> AccountScreen:
    """Return a page with the form that requests another link."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=title,
        description=description,
        description_as="lead",
        above=[html.p(words)],
        fields=[email(t, autocomplete="username")],
        submit=t("Send a new link"),
        action=RESEND,
        below=[aside(t("Confirmed already?"), " ", link(onward("/login", form), t("Log in")))],
        foot=foot,
    )
