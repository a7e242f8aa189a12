"""A forgotten password: requesting the mailed link, and choosing a new password with it."""

from components.pages.account.screen import AccountScreen, again, email, new_password, whose
from components.pages.account.sign_in_link import link_sent
from components.runtime import PageRequest, Refresh, html
from components.ui.blocks import button_link, link
from components.ui.empty_states import message
from components.ui.frames import aside
from components.ui.posted_forms import onward

READ_FOR = 2  # seconds before the browser goes on to the sign-in


def forgot(request: PageRequest) -> AccountScreen:
    """Return the page with the form for the e-mail address."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Forgot password"),
        description=t("A link to choose a new password comes by e-mail."),
        description_as="head",
        above=[html.p(t("We send a link to your address. With it you choose a new password."))],
        fields=[email(t, autocomplete="username")],
        submit=t("Send the link"),
        below=[aside(t("Remembered?"), " ", link(onward("/login", form), t("Log in")))],
        foot=t("Lost and found"),
    )


def sent(request: PageRequest) -> AccountScreen:
    """Return the page after a request for a link."""
    return link_sent(request, again="/forgot-password", foot=request.t("Lost and found"))


def reset(request: PageRequest) -> AccountScreen:
    """Return the page with the form for a new password."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Reset password"),
        description=t("Choose a new password."),
        description_as="head",
        fields=[*whose(form, t), new_password(t, t("New password")), again(t)],
        submit=t("Reset password"),
        below=[aside(t("You are signed out everywhere else when it is changed."))],
        foot=t("Reissued"),
    )


def unusable(request: PageRequest) -> AccountScreen:
    """Return the page for an unusable link."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Reset password"),
        description=t("This link cannot be used."),
        description_as="head",
        above=[
            html.p(t("A link works once, within one hour. Only the newest one works.")),
            button_link("/forgot-password", t("Request a new link")),
        ],
        below=[aside(t("Remembered?"), " ", link("/login", t("Log in")))],
        foot=t("Not valid"),
    )


def done(request: PageRequest) -> AccountScreen:
    """Return the page after the reset; after two seconds the browser continues to the sign-in."""
    t, to = request.t, onward("/login", request.form)
    description = t("Password updated successfully! Please log in with your new password.")
    return AccountScreen(
        form=request.form,
        title=t("Reset password"),
        description=description,
        description_as="head",
        has_answers=False,
        above=[message(description, good=True)],
        below=[button_link(to, t("Log in"))],
        foot=t("Reissued"),
        refresh=Refresh(to, READ_FOR),
    )
