"""A push message: encrypted for one browser, signed by the site, and what its headers tell the push service."""

import json
import time
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.crypto import salted_hmac

from apps.notifications.push.base64url import encoded
from apps.notifications.push.endpoints import audience_of

_SALT = "parterre.push_topic"
_TOPIC_LENGTH = 32  # the longest that RFC 8030 allows
_SIGNED = 6 * 3_600  # seconds: Apple asks senders to reuse a signature, and refuses one for more than a day


@dataclass(frozen=True, slots=True)
class Browser:
    """A subscribed browser: the row's id, the address of its push service, and its keys in base64."""

    id: int
    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True, slots=True)
class Message:
    """A notification for one browser. `seconds` is how long the push service keeps it, at least 1.

    A later message with the same `tag` replaces it, in the push service's queue and on the screen.
    """

    browser: Browser
    title: str
    path: str
    tag: str
    seconds: int

    @property
    def payload(self) -> bytes:
        """The content before encryption. A lock screen shows the title only."""
        shown = {"title": self.title, "path": self.path, "tag": self.tag}
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()

    def encrypted(self) -> bytes:
        """Return the content as only this browser can read it (RFC 8291)."""
        from pywebpush import WebPusher  # noqa: PLC0415 - imports aiohttp, a third of a second

        keys = {"p256dh": self.browser.p256dh, "auth": self.browser.auth}
        pusher = WebPusher({"endpoint": self.browser.endpoint, "keys": keys})
        return bytes(pusher.encode(self.payload)["body"])

    def headers(self) -> dict[str, str]:
        """Return the headers for the push service, which cannot tell from the topic which performer it is about."""
        topic = salted_hmac(_SALT, f"{self.browser.auth}:{self.tag}", algorithm="sha256").digest()
        return {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(max(1, self.seconds)),  # Microsoft refuses 0 without a header of its own
            "Urgency": "high",
            "Topic": encoded(topic)[:_TOPIC_LENGTH],
            "Authorization": _signature(audience_of(self.browser.endpoint), int(time.time() // _SIGNED)),
        }


def _signature(audience: str, period: int) -> str:
    return _signed(audience, period, settings.PUSH_PRIVATE_KEY, settings.PUSH_CONTACT)


@lru_cache(maxsize=256)
def _signed(audience: str, period: int, private_key: str, contact: str) -> str:
    """Return the header that proves the site's identity until the end of the next period of _SIGNED seconds."""
    from py_vapid import Vapid02  # noqa: PLC0415 - only a process that sends messages needs it

    claims = {"aud": audience, "exp": (period + 2) * _SIGNED, "sub": contact}
    return str(Vapid02.from_string(private_key).sign(claims)["Authorization"])
