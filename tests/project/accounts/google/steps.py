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


def google_start(browser: PlainBrowser, path: str = "/login", **form: str) -> Seen:
    """Press the Google button on the page at `path` and return the answer."""
    page = browser.get(path)
    [to] = re.findall(r'action="([^"]+/google)"', page.html)
    token = page.fields["csrfmiddlewaretoken"]["value"]
    onward = {"next": page.fields["next"]["value"]} if "next" in page.fields else {}
    return browser._seen(browser.client.post(to, {"csrfmiddlewaretoken": token, **onward, **form}))


def provider_answer(address: str, **form: str) -> str:
    """Answer the provider's form and return the callback address, as the provider redirects to it."""
    opener = urllib.request.build_opener(Still)
    request = urllib.request.Request(address, urllib.parse.urlencode(form).encode())  # noqa: S310
    try:
        opener.open(request)
    except urllib.error.HTTPError as redirect:
        back = redirect.headers["Location"]
        assert back.startswith("http://localhost:8000/auth/callback?"), back
        return str(back.removeprefix("http://localhost:8000"))
    raise AssertionError("the provider did not redirect")


def google_finish(browser: PlainBrowser, back: str) -> Seen:
    """Open the callback address and return the answer to its onward redirect."""
    response = browser.get(back)
    assert "Finalizing login..." in response.text
    seconds, onward = response.headers["Refresh"].split("; url=")
    assert seconds == "0"
    return browser.get(onward)


def google_sign_in(browser: PlainBrowser, sub: str = "1001", path: str = "/login") -> Seen:
    return google_finish(browser, provider_answer(google_start(browser, path).to, sub=sub))
