"""Helpers that request a password reset link and use it."""

from tests.project.plain_browser import PlainBrowser, link_in, mails

EMAIL, NEW = "fan@example.org", "the-second-pedal"
UNUSABLE = "Failed to verify reset token. Please request a new password reset."


def link(email=EMAIL):
    """Request a link and return its path."""
    response = PlainBrowser().post("/forgot-password", email=email)
    assert (response.status, response.to) == (302, "/forgot-password/sent")
    (message,) = mails()
    assert message.to == [EMAIL]
    return link_in(message)


def reset(browser, path, first=NEW, second=NEW):
    """Open the link, post a new password, and return the answer."""
    response = browser.get(path)
    assert (response.status, response.to) == (302, "/reset-password")
    return browser.post("/reset-password", password1=first, password2=second)
