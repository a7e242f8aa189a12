"""Test which redirect addresses the account adapter accepts and which usernames it allows."""

from urllib.parse import urljoin, urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.limits import USERNAME_LONGEST
from apps.accounts.sign_in.adapter import AccountAdapter
from apps.accounts.validators import Impersonal, username_skeleton, validate_username
from tests.apps.accounts.test_usernames import RESERVED_NAMES
from tests.factories import UserFactory

SITE = "https://parterre.example/login"
HARMFUL = st.text(st.sampled_from('/\\%25fF09a.:?#@ \t\r\n\0é"<'), max_size=12)


@pytest.mark.parametrize(
    "path", ["/", "/sessions/1", "/sessions?filter=past&q=a%20b", "/profile#password", "/news/%C3%A9"]
)
def test_paths_of_the_site_are_safe(path):
    assert AccountAdapter().is_safe_url(path)


@given(HARMFUL)
def test_what_is_safe_stays_on_the_site_however_a_browser_reads_it(rest):
    for url in (rest, f"/{rest}"):
        if AccountAdapter().is_safe_url(url):
            plain = "".join(sign for sign in url if sign not in "\t\r\n").replace("\\", "/")  # as browsers do
            assert urlsplit(urljoin(SITE, plain)).netloc == "parterre.example"
            assert url.startswith("/")
            assert url.isprintable()


def is_unlike_reserved(username):
    """Return whether no reserved name looks like this one; another test covers those."""
    return username_skeleton(username) not in map(username_skeleton, RESERVED_NAMES)


@given(st.text(max_size=25).filter(is_unlike_reserved))
def test_a_username_is_allowed_exactly_when_the_specification_allows_it(username):
    mail_messages = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    allowed = (
        3 <= len(username) <= 20
        and all(sign in mail_messages + "0123456789_-" for sign in username)
        and username[0] in mail_messages
    )
    if allowed:
        validate_username(username)
    else:
        with pytest.raises(ValidationError) as refused:
            validate_username(username)
        assert len(refused.value.messages) == 1


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{2,19}", fullmatch=True).filter(is_unlike_reserved))
def test_every_username_of_the_rules_passes(username):
    validate_username(username)
    assert len(username) <= USERNAME_LONGEST


@pytest.mark.parametrize("name", RESERVED_NAMES)
def test_reserved_names_are_for_nobody(name):
    with pytest.raises(ValidationError, match="reserved"):
        validate_username(name)


@pytest.mark.django_db
def test_a_name_is_taken_in_any_case():
    UserFactory(username="Halina")
    adapter = AccountAdapter()
    with pytest.raises(ValidationError, match="already taken"):
        adapter.clean_username("haLina")
    assert adapter.clean_username("haLina", shallow=True) == "haLina"
    assert adapter.clean_username("halina_k") == "halina_k"


@pytest.mark.parametrize(
    ("password", "refused"),
    [("with-ewa_n-in", True), ("EWA_N", True), ("mail.example", True), ("row-g-seat-12", False), ("n_awe", False)],
)
def test_a_password_holds_nothing_of_its_owner(password, refused):
    owner = UserFactory.build(username="ewa_n", email="ew@mail.example")
    if refused:
        with pytest.raises(ValidationError):
            Impersonal().validate(password, owner)
    else:
        Impersonal().validate(password, owner)


def test_short_names_forbid_no_password():
    owner = UserFactory.build(username="ann", email="a@b.cd")
    Impersonal().validate("mannequin", owner)
    Impersonal().validate("anything", None)


def test_forms_are_a_browsers_own_and_never_answered_with_json():
    request = RequestFactory().post("/login", headers={"x-requested-with": "XMLHttpRequest"})
    assert not AccountAdapter().is_ajax(request)
