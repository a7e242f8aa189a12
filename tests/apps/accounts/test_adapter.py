"""Test which redirect addresses and passwords are accepted, and that taken usernames are refused in any case."""

from urllib.parse import urljoin, urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.sign_in.adapter import AccountAdapter
from apps.accounts.validators import Impersonal
from tests.factories import UserFactory

SITE = "https://parterre.example/login"
HARMFUL = st.text(st.sampled_from('/\\%25fF09a.:?#@ \t\r\n\0é"<'), max_size=12)


def test_paths_of_the_site_are_safe():
    paths = ("/", "/sessions/1", "/sessions?filter=past&q=a%20b", "/profile#password", "/news/%C3%A9")
    assert not [path for path in paths if not AccountAdapter().is_safe_url(path)]


@given(HARMFUL)
def test_safe_url_stays_on_the_site_in_every_browser(rest):
    for url in (rest, f"/{rest}"):
        if AccountAdapter().is_safe_url(url):
            plain = "".join(sign for sign in url if sign not in "\t\r\n").replace("\\", "/")  # as browsers do
            assert urlsplit(urljoin(SITE, plain)).netloc == "parterre.example"
            assert url.startswith("/")
            assert url.isprintable()


@pytest.mark.django_db
def test_clean_username_ignores_case_of_taken_names():
    UserFactory(username="Halina")
    adapter = AccountAdapter()
    with pytest.raises(ValidationError, match="already taken"):
        adapter.clean_username("haLina")
    assert adapter.clean_username("haLina", shallow=True) == "haLina"
    assert adapter.clean_username("halina_k") == "halina_k"


def test_password_must_not_contain_name_or_address_of_its_owner():
    owner = UserFactory.build(username="ewa_n", email="ew@mail.example")
    for password in ("with-ewa_n-in", "EWA_N", "mail.example"):
        with pytest.raises(ValidationError):
            Impersonal().validate(password, owner)
    for password in ("row-g-seat-12", "n_awe"):
        Impersonal().validate(password, owner)
    short = UserFactory.build(username="ann", email="a@b.cd")
    Impersonal().validate("mannequin", short)
    Impersonal().validate("anything", None)


def test_forms_are_never_answered_with_json():
    request = RequestFactory().post("/login", headers={"x-requested-with": "XMLHttpRequest"})
    assert not AccountAdapter().is_ajax(request)
