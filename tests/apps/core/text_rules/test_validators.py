"""Test the rules of picture addresses: Python and the database accept the same ones."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.core.text_rules import PICTURE_ADDRESS, is_secure_picture_address, picture_address
from tests.offenders import check_each

GOOD = [
    *("https://example.org", "https://example.org/a.png?size=2#top", "https://example.org:8443/ą.webp"),
    *("https://localhost.example.org/a.png", "https://example.org/https://localhost/a.png"),
    *("/static/demo/cameo-1.svg", "/static/a.1f2e3d.webp"),
]
BAD = [
    *("http://example.org/a.png", "javascript:alert(1)", "data:image/png;base64,AAAA", "//example.org/a.png"),
    *("/\\example.org/a.png", "https:///a.png", "https://", "HTTPS://example.org", "static/demo/a.png"),
    *(" https://example.org", "https://example.org/a b.png", "https://example.org/\n", "/static/a.png\n"),
    *('https://example.org/"onload="x', "/<svg>", "/", "/sign-out", "/reset-password?key=1-a", "/static", "/static/"),
    *("/static/../sign-out", "/static/%2e%2e/sign-out", "/static/./a.png", "/static//a.png", "/static/a.png?key=1"),
    "/Static/a.png",
]
OWN = [  # addresses of the site itself that a browser may request
    *("https://localhost/reset-password?key=1-a", "https://localhost:8000/a.png", "https://LocalHost/a.png"),
    *("https://localhost./a.png", "https://user:word@localhost/a.png", "https://%6cocalhost/a.png"),
    *("https://\uff4cocalhost/a.png", "https://127.0.0.1/a.png", "https://localhost", "https://localhost#a"),
    "https://localhost/static/a.png",
]
NETWORK = [  # browsers resolve these to this machine or to the viewer's own network
    *("https://2130706433/", "https://0x7f.1/", "https://0x7f000001/", "https://0X7F.0.0.1/", "https://127.1/a.png"),
    *("https://0177.0.0.1/", "https://017700000001/", "https://127.0.1", "https://127.0.0.1./", "https://2130706433./"),
    *("https://%31%32%37.0.0.1/", "https://%32%31%33%30706433/", "https://127%2e0%2E0%2e1/"),
    *("https://\uff11\uff12\uff17.0.0.1/", "https://\u2460\u2461\u2466.0.0.1/", "https://127\u30020\uff0e0\uff611/"),
    *("https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/", "https://0/", "https://0x/", "https://0.0.0.0/", "https://10.256/"),
    *("https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]:8443/a.png"),
    *("https://[0:0:0:0:0:FFFF:10.0.0.1]/", "https://[64:ff9b::127.0.0.1]/", "https://[2002:7f00:1::]/"),
    *("https://[fe80::1]/", "https://[fd00::1]/", "https://[ff02::1]/", "https://[::127.0.0.1]/"),
    *("https://10.0.0.1/", "https://192.168.1.1/", "https://172.16.0.1/", "https://169.254.169.254/"),
    *("https://100.64.0.1/", "https://3232235777/", "https://0xc0a80101/", "https://224.0.0.1/"),
    "https://255.255.255.255",
    *("https://localhost/", "https://LOCALHOST./", "https://any.localhost/a.png", "https://local\u00adhost/"),
    *("https://local\u2064host/", "https://127.0.0.1\u2064/", "https://local\U000e0100host/"),
    "https://\u3164localhost/",
    *("https://user:word@127.0.0.1:8443/a.png", "https://127.0.0.1#a", "https://127.0.0.1?a"),
    *("https://1.2.3.4.5/", "https://example.09/", "https://256.1.1.1/", "https://4294967296/"),  # not valid hosts
]
PUBLIC = [
    *("https://8.8.8.8/a.png", "https://[2606:4700::1111]/a.png", "https://134744072/a.png", "https://1e100.example/"),
    *("https://127.0.0.1.example.org/", "https://0x7f.example/", "https://localhost.example/", "https://mylocalhost/"),
]
NUL = ["https://example.org/\0", "https://\0", "/static/\0.png", "\0"]  # PostgreSQL cannot store this character


def accepted(address):
    try:
        for validator in picture_address:
            validator(address)
    except ValidationError:
        return False
    return True


@pytest.fixture
def public_site(settings):
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://competition.example", ["competition.example"]


def test_picture_address_is_https_or_a_static_file():
    assert not [address for address in GOOD if not accepted(address)]
    long = "https://example.org/" + "a" * 2029
    assert not [address for address in [*BAD, *NUL, *OWN, long] if accepted(address)]


@pytest.mark.django_db
def test_address_of_the_viewers_network_is_refused_with_one_message(public_site):
    user = User(username="una_corda", email="una@example.org", password="x")

    def check(address):
        user.avatar_url = address
        with pytest.raises(ValidationError) as refused:
            user.full_clean()
        assert refused.value.message_dict == {"avatar_url": ["A picture needs the address of another, public site."]}
        assert not is_secure_picture_address(address)

    check_each(NETWORK, check)


def test_public_address_is_accepted(public_site):
    assert not [address for address in PUBLIC if not accepted(address)]


def test_address_of_the_sites_own_host_is_refused(settings):
    host = "konkurs-m\u00fcnchen.example"
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = f"https://{host}", [host]
    assert not accepted("https://konkurs-m\u00fcnchen.example/reset-password?key=1-a")
    assert not accepted("https://xn--konkurs-mnchen-osb.example/a.png")
    assert not accepted("https://KONKURS-M\u00dcNCHEN\u3002example/a.png")
    assert accepted("https://pictures.konkurs-m\u00fcnchen.example/a.png")


@pytest.mark.django_db
def test_validators_agree_with_the_database():
    assert not [address for address in [*GOOD, *BAD] if in_database(address) != accepted(address)]


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from(list('https:/\\"<>?#a. ą\n\t\u0085\u00a0\u001f\u007f')), max_size=20))
def test_regular_expression_agrees_with_the_database(rest):
    for address in (rest, "https://" + rest, "/" + rest):
        assert in_database(address) == bool(re.search(PICTURE_ADDRESS.replace("$", r"\Z"), address)), repr(address)


def in_database(address):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text ~ %s", [address, PICTURE_ADDRESS])
        return cursor.fetchone()[0]
