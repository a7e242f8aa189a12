"""The page of the link in each mail of notifications: it ends these mails, without a sign-in."""

from components.pages.account.screen import AccountScreen
from components.runtime import PageRequest, html
from components.ui.blocks import link
from components.ui.frames import aside

CHOICES = "/profile#notifications"


def ask(request: PageRequest) -> AccountScreen:
    """Return the page before and after the button; `extra` has the masked `address`, and whether it `is_done`."""
    t, form = request.t, request.form
    to = html.p(html.strong(form.extra.get("address", "")))
    if form.extra.get("is_done"):
        return AccountScreen(
            form=form,
            title=t("No more e-mails"),
            description=t("Notifications of performers are no longer sent to this address:"),
            description_as="lead",
            above=[to, html.p(t("On the site and by push they go on as you chose."))],
            below=[aside(t("Changed your mind?"), " ", link(CHOICES, t("Choose notifications")))],
            foot=t("Lights down"),
        )
    return AccountScreen(
        form=form,
        title=t("End these e-mails"),
        description=t("E-mails about the performers that you follow will no longer be sent to this address:"),
        description_as="lead",
        above=[to],
        submit=t("End these e-mails"),
        below=[
            html.p({"class": "small"}, t("Mails about your account, such as a link for a new password, still come.")),
            aside(t("Fewer instead of none?"), " ", link(CHOICES, t("Choose notifications"))),
        ],
        foot=t("Lights down"),
    )


def unusable(request: PageRequest) -> AccountScreen:
    """Return the page for a link that this site has not made, or of a deleted account; with status 404."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("End these e-mails"),
        description=t("This link is not complete, or its account no longer exists. No e-mail was ended."),
        description_as="lead",
        above=[html.p(t("Please open the link of the e-mail again, or choose your notifications on your profile."))],
        below=[aside(t("You have an account?"), " ", link(CHOICES, t("Choose notifications")))],
        foot=t("Not valid"),
        status=404,
    )
