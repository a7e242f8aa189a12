"""Addresses of pictures: what Python accepts, the database accepts, and the other way round."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.core.text_rules.validators import PICTURE_ADDRESS, picture_address

GOOD = [
    "https://example.org",
    "https://example.org/a.png?size=2#top",
    "https://example.org:8443/ą.webp",
    "https://localhost.example.org/a.png",
    "https://example.org/https://localhost/a.png",
    "/static/demo/cameo-1.svg",
    "/static/a.1f2e3d.webp",
]
BAD = [
    "http://example.org/a.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "//example.org/a.png",
    "/\\example.org/a.png",
    "https:///a.png",
    "https://",
    "HTTPS://example.org",
    "static/demo/a.png",
    " https://example.org",
    "https://example.org/a b.png",
    "https://example.org/\n",
    "/static/a.png\n",
    'https://example.org/"onload="x',
    "/<svg>",
    "/",
    "/sign-out",
    "/reset-password?key=1-a",
    "/static",
    "/static/",
    "/static/../sign-out",
    "/static/%2e%2e/sign-out",
    "/static/./a.png",
    "/static//a.png",
    "/static/a.png?key=1",
    "/Static/a.png",
]
OWN = [  # as a browser would ask it
    "https://localhost/reset-password?key=1-a",
    "https://localhost:8000/a.png",
    "https://LocalHost/a.png",
    "https://localhost./a.png",
    "https://somebody:word@localhost/a.png",
    "https://%6cocalhost/a.png",
    "https://\uff4cocalhost/a.png",
    "https://127.0.0.1/a.png",
    "https://localhost",
    "https://localhost#a",
    "https://localhost/static/a.png",
]
NUL = ["https://example.org/\0", "https://\0", "/static/\0.png", "\0"]  # the database cannot even be asked


def accepted(address):
    try:
        for validator in picture_address:
            validator(address)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("address", GOOD)
def test_picture_address_accepts(address):
    assert accepted(address)


@pytest.mark.parametrize("address", [*BAD, *NUL, *OWN, "https://example.org/" + "a" * 2029])
def test_picture_address_refuses(address):
    assert not accepted(address)


def test_a_public_sites_own_host_is_refused_and_its_neighbours_are_not(settings):
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = (
        "https://konkurs-m\u00fcnchen.example",
        ["konkurs-m\u00fcnchen.example"],
    )
    assert not accepted("https://konkurs-m\u00fcnchen.example/reset-password?key=1-a")
    assert not accepted("https://xn--konkurs-mnchen-osb.example/a.png")
    assert not accepted("https://KONKURS-M\u00dcNCHEN\u3002example/a.png")
    assert accepted("https://pictures.konkurs-m\u00fcnchen.example/a.png")
    assert accepted("https://localhost/a.png")


@pytest.mark.django_db
@pytest.mark.parametrize("address", [*GOOD, *BAD])
def test_python_and_the_database_agree_on_known_addresses(address):
    assert in_database(address) == accepted(address)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.sampled_from(list('https:/\\"<>?#a. ą\n\t\u0085\u00a0\u001f\u007f')), max_size=20))
def test_python_and_the_database_agree(rest):
    for address in (rest, "https://" + rest, "/" + rest):
        assert in_database(address) == bool(re.search(PICTURE_ADDRESS.replace("$", r"\Z"), address)), repr(address)


def in_database(address):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text ~ %s", [address, PICTURE_ADDRESS])
        return cursor.fetchone()[0]
