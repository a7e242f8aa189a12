"""The profile's forms as a browser posts them, and the pages that show the answers."""

import re

from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.test import Client

from tests.factories import PASSWORD
from tests.serving import page_response

ANOTHER = "quite-another-seat-7"
FORMS = ("settings", "sessions/end", "sessions/end-others", "export", "delete")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def signed_in(client: Client, **form: str) -> Client:
    """Return the browser, signed in at /login."""
    response = client.post("/login", {"login": "fan@example.org", "password": PASSWORD, **form})
    assert response.status_code == 302, response.content.decode()
    return client


def settings_form(**changed: str) -> dict[str, str]:
    """Return the fields that the settings form posts."""
    return {"username": "fan_of_g", "avatar_url": "", "password1": "", "password2": "", **changed}


def live(client: Client, address: str) -> HttpResponse:
    """Return the response for a live page, and store its cookie in the browser."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items() if morsel.value)
    response = async_to_sync(page_response)(address.partition("#")[0], [(b"cookie", cookies.encode())])
    if "Set-Cookie" in response:
        client.cookies.load(response["Set-Cookie"])
    return response


def seen(client: Client, address: str = "/profile") -> str:
    """Return the HTML of a page that answers with 200."""
    page = live(client, address)
    assert page.status_code == 200, page
    return page.content.decode()


def shown(client: Client, response) -> str:
    """Return the HTML of the page to which a post redirects."""
    assert response.status_code == 303, response
    return seen(client, response["Location"])


def long_ago(client: Client) -> None:
    """Set the time of the sign-in to eleven minutes ago."""
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 660
    session.save()
