"""Helpers that request a password reset link and use it."""

from tests.project.plain_browser import PlainBrowser, link_in, mails

EMAIL, NEW = "fan@example.org", "the-second-pedal"
UNUSABLE = "Failed to verify reset token. Please request a new password reset."


def link(email=EMAIL, plain_browser=None):
    """Request a link and return its path."""
    seen = (plain_browser or PlainBrowser()).post("/forgot-password", email=email)
    assert (seen.status, seen.to) == (302, "/forgot-password/sent")
    (message,) = mails()
    assert message.to == [EMAIL]
    return link_in(message)


def reset(plain_browser, path, first=NEW, second=NEW):
    """Open the link, post a new password, and return the answer."""
    arrived = plain_browser.get(path)
    assert (arrived.status, arrived.to) == (302, "/reset-password")
    return plain_browser.post("/reset-password", password1=first, password2=second)
