"""Administrators of a public site need a second factor to be one at all."""

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings

from apps.accounts.actors import Viewer
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors import seats_get, viewer_get
from components.page import Redirect
from components.routes import find
from tests.factories import PASSWORD
from tests.project.doors import Door
from tests.project.second_factors.setting_up import EMAIL, by_code, set_up

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked_of_administrators(settings):
    settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True


@pytest.fixture
def administrator(fan):
    User.objects.filter(pk=fan.pk).update(is_admin=True)
    return fan


def test_an_administrator_without_a_second_factor_is_none(asked_of_administrators, administrator):
    door = Door()
    assert door.sign_in(EMAIL, PASSWORD).to == "/profile/two-factor"
    assert "Administrators need one of these" in door.get("/profile/two-factor").text
    key = door.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), seats_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(each.is_admin, each.lacks_factor) for each in viewers} == {(False, True)}
    assert not is_administrator(viewers[0])
    assert find("/admin", viewers[0]) == Redirect("/profile/two-factor")
    assert find("/admin/sessions", viewers[1]) == Redirect("/profile/two-factor")


def test_with_one_it_is_an_administrator(asked_of_administrators, administrator):
    door = Door()
    door.sign_in(EMAIL, PASSWORD)
    secret = set_up(door)
    key = door.client.cookies[settings.SESSION_COOKIE_NAME].value
    viewers = [viewer_get(user_id=administrator.pk), seats_get(keys=[(key, administrator.pk)])[key].viewer]
    assert {(each.is_admin, each.lacks_factor) for each in viewers} == {(True, False)}
    assert is_administrator(viewers[0])
    other = Door()
    other.sign_in(EMAIL, PASSWORD)
    assert by_code(other, secret).to == "/"
    door.post("/profile/two-factor/app/off")
    assert not is_administrator(viewers[0])


def test_fans_are_asked_nothing(asked_of_administrators, fan):
    viewer = viewer_get(user_id=fan.pk)
    assert (viewer.is_admin, viewer.lacks_factor) == (False, False)
    assert find("/admin", viewer) == Redirect("/")
    assert Door().sign_in(EMAIL, PASSWORD).to == "/"


def test_recovery_codes_alone_are_no_second_factor(asked_of_administrators, administrator):
    Authenticator.objects.create(user=administrator, type="recovery_codes", data={})
    assert not is_administrator(Viewer(id=administrator.pk))


def test_on_ones_own_machine_the_flag_is_enough(administrator):
    assert settings.MFA_REQUIRED_FOR_ADMINISTRATORS is False
    assert is_administrator(Viewer(id=administrator.pk))
    assert viewer_get(user_id=administrator.pk).is_admin
