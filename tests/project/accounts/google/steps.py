"""The redirect to the test provider and back, as a browser follows it."""

import re
import urllib.parse
import urllib.request

from tests.project.plain_browser import PlainBrowser, Seen

PICTURE = "https://pictures.example/ewa.jpg"
EWA = {"sub": "1001", "email": "Ewa@example.org", "email_verified": True, "name": "Ewa Nowak", "picture": PICTURE}
UNSURE = {"sub": "1002", "email": "unsure@example.org", "email_verified": False, "picture": "javascript:alert(1)"}
NAMELESS = {"sub": "1003", "name": "No address"}
ERROR = "Error during login. Please try again."


class Still(urllib.request.HTTPRedirectHandler):
    """Do not follow redirects."""

    def redirect_request(self, *_):
        return None


def begun(plain_browser: PlainBrowser, path: str = "/login", **typed: str) -> Seen:
    """Press the Google button on the page at `path` and return the answer."""
    page = plain_browser.get(path)
    [to] = re.findall(r'action="([^"]+/google)"', page.html)
    token = page.fields["csrfmiddlewaretoken"]["value"]
    onward = {"next": page.fields["next"]["value"]} if "next" in page.fields else {}
    return plain_browser._seen(plain_browser.client.post(to, {"csrfmiddlewaretoken": token, **onward, **typed}))


def answered(asked: str, **form: str) -> str:
    """Answer the provider's form and return the callback address, as the provider redirects to it."""
    opener = urllib.request.build_opener(Still)
    request = urllib.request.Request(asked, urllib.parse.urlencode(form).encode())  # noqa: S310
    try:
        opener.open(request)
    except urllib.error.HTTPError as found:
        back = found.headers["Location"]
        assert back.startswith("http://localhost:8000/auth/callback?"), back
        return str(back.removeprefix("http://localhost:8000"))
    raise AssertionError("the provider sent nobody back")


def finished(plain_browser: PlainBrowser, back: str) -> Seen:
    """Open the callback address and return the answer to its onward redirect."""
    seen = plain_browser.get(back)
    assert "Finalizing login..." in seen.text
    seconds, onward = seen.headers["Refresh"].split("; url=")
    assert seconds == "0"
    return plain_browser.get(onward)


def signed_in(plain_browser: PlainBrowser, sub: str = "1001", path: str = "/login") -> Seen:
    return finished(plain_browser, answered(begun(plain_browser, path).to, sub=sub))
