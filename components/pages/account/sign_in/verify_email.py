"""The page "Verify e-mail", the target of a mailed link, and the pages that send another link."""

from apps.core.texts import Texts, texts
from components.pages.account.fields import again, email, new_password, password, whose
from components.runtime import Form, Markup, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, onward, plain_form, submit

RESEND = "/verify-email/send"


def screen(request: PageRequest) -> Page:
    """Return the page that confirms the address."""
    t = request.t
    description = t("Confirm that this address is yours.")
    return Page(title=t("Verify e-mail"), description=description, component=verify_email_page, data=request.form)


@component
def verify_email_page(page: Page) -> VdomDict:
    """Render the address and a form with a button, because mail programs may open links by themselves."""
    form: Form = page.data
    t = texts(page.language)
    address = form.extra.get("email", "")
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        html.p(html.strong(address)) if address and not form.extra.get("asks") else None,
        *_asked(form, t),
        aside(t("Not yours? Then close this page, and nothing happens.")),
        foot=t("Admit one"),
        t=t,
    )


def _asked(form: Form, t: Texts) -> list[Markup]:
    """Return the form: a button, or also a password if the address was registered in another browser."""
    asks = form.extra.get("asks", "")
    registered = t("It was registered as {username} in another browser.").format(
        username=form.extra.get("username", "")
    )
    if asks == "password":
        why = html.p(registered, " ", t("Please enter the password that was chosen there."))
        other = aside(t("You do not know it?"), " ", link(form.extra["new"], t("Choose a new password")))
        return [why, plain_form(form, *whose(form, t), *entries(form, [password(t)], t), submit(t("Confirm"))), other]
    if asks == "new":
        why = html.p(registered, " ", t("Choose a new password. Every other way to sign in ends with it."))
        inputs = [new_password(t, t("New password")), again(t)]
        return [why, plain_form(form, *whose(form, t), *entries(form, inputs, t), submit(t("Confirm")))]
    return [plain_form(form, submit(t("Confirm")))]


def expired(request: PageRequest) -> Page:
    """Return the page for an unusable link, with a form that requests another."""
    t = request.t
    description = t("This link has been used, or it is older than a day.")
    return Page(title=t("Verify e-mail"), description=description, component=expired_page, data=request.form)


@component
def expired_page(page: Page) -> VdomDict:
    """Render the explanation and the form for another link."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        html.p(t("If you have confirmed your address already, just log in. Otherwise we send a new link.")),
        _resend(form, t),
        aside(t("Confirmed already?"), " ", link(onward("/login", form), t("Log in"))),
        foot=t("Not valid"),
        t=t,
    )


def sent(request: PageRequest) -> Page:
    """Return the page after a link was mailed."""
    t = request.t
    description = t("Open the link that we have sent to your address. Then you can log in.")
    return Page(title=t("Check your mail"), description=description, component=sent_page, data=request.form)


@component
def sent_page(page: Page) -> VdomDict:
    """Render what to expect, and what to do if no mail arrives."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        html.p(t("It works for a day. If nothing comes, look among the unwanted mail, or have it sent again.")),
        _resend(form, t),
        aside(t("Confirmed already?"), " ", link(onward("/login", form), t("Log in"))),
        foot=t("Nearly there"),
        t=t,
    )


def _resend(form: Form, t: Texts) -> VdomDict:
    return plain_form(
        form, *entries(form, [email(t, autocomplete="username")], t), submit(t("Send a new link")), action=RESEND
    )
