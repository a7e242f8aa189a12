"""Where Django's messages wait, which are shown once: in a cookie whose name the settings give."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage


class MessageStorage(CookieStorage):
    """Django's storage; on a public site a browser takes its cookie from this very host alone (`__Host-`)."""

    cookie_name = settings.MESSAGE_COOKIE_NAME
