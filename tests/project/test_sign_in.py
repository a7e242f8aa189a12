"""Signing in: allauth's view at our address, on our screen, with our limits."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.accounts.services import account_create
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def fan(db):
    return account_create(email="fan@example.org", password=PASSWORD, username="fan")


def test_the_entrance_is_a_page_of_ours(client: Client):
    answer = client.get("/login")
    assert answer.status_code == 200
    print(answer.content.decode(), answer.headers)
    assert 'name="csrfmiddlewaretoken"' in answer.content.decode()


def test_the_right_password_signs_in(client: Client, fan):
    answer = client.post("/login", {"login": "Fan@Example.org", "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(fan.pk)


def test_a_wrong_password_keeps_what_was_typed(client: Client, fan):
    answer = client.post("/login", {"login": "fan@example.org", "password": "wrong"})
    html = answer.content.decode()
    assert "Invalid login credentials. Please try again." in html
    assert 'value="fan@example.org"' in html
    assert "wrong" not in html
