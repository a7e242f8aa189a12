"""Test the site contact: set by administrators, overridden by the environment, checked by service and database."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from apps.accounts.actors import OPERATOR
from apps.accounts.models import SiteContact
from apps.accounts.selectors.site_contact import SiteContactShown, site_contact
from apps.accounts.services.site_contact import site_contact_set
from apps.core.edits import EditConflict
from apps.core.models import AuditEntry
from tests.factories import AdminFactory, MemberFactory, viewer_of

pytestmark = pytest.mark.django_db
GOOD = {"name": "Jan Kowalski, ul. Okólnik 2", "email": "hall@example.org"}


def field_errors(**values):
    with pytest.raises(ValidationError) as error:
        site_contact_set(actor=OPERATOR, **{**GOOD, **values})
    return error.value.message_dict


def test_site_contact_is_empty_first_and_then_one_row(django_assert_num_queries):
    assert site_contact() == SiteContactShown("", "")
    assert not site_contact().is_complete
    assert site_contact_set(actor=OPERATOR, name="  Jan\n Kowalski ", email=" hall@example.org ").row
    site_contact_set(actor=viewer_of(AdminFactory()), name="Ewa Nowak", email="ewa@example.org")
    with django_assert_num_queries(1):
        assert site_contact() == SiteContactShown("Ewa Nowak", "ewa@example.org")
    assert SiteContact.objects.count() == 1
    changes = [entry.details["after"] for entry in AuditEntry.objects.filter(action="contact.set").order_by("id")]
    assert changes[0] == {"name": "Jan Kowalski", "email": "hall@example.org"}
    assert changes[1] == {"name": "Ewa Nowak", "email": "ewa@example.org"}


def test_environment_overrides_name_and_address(settings, django_assert_num_queries):
    site_contact_set(actor=OPERATOR, **GOOD)
    settings.OPERATOR_NAME = "The Society"
    assert site_contact() == SiteContactShown("The Society", GOOD["email"], is_name_fixed=True)
    site_contact_set(actor=OPERATOR, name="ignored", email="new@example.org")
    assert site_contact().email == "new@example.org"
    assert SiteContact.objects.get().name == GOOD["name"], "the environment's name is not stored"
    settings.CONTACT_EMAIL = "society@example.org"
    with django_assert_num_queries(0):
        assert site_contact() == SiteContactShown("The Society", "society@example.org", True, True)


def test_all_invalid_fields_are_reported_and_not_stored():
    assert field_errors(name=" ", email="hall.example.org") == {
        "name": ["Name is required."], "email": ["Enter a valid email address."],
    }  # fmt: skip
    assert field_errors(email="") == {"email": ["E-mail address is required."]}
    assert set(field_errors(name="x" * 201, email="a" * 250 + "@example.org")) == {"name", "email"}
    assert set(field_errors(email='"a\\ b"@example.org')) == {"email"}
    assert set(field_errors(email='"a@b"@example.org')) == {"email"}
    assert not SiteContact.objects.exists()
    assert not AuditEntry.objects.exists()


def test_site_contact_is_set_only_by_administrators():
    with pytest.raises(PermissionDenied):
        site_contact_set(actor=viewer_of(MemberFactory()), **GOOD)


def test_concurrent_editors_keep_each_others_fields():
    site_contact_set(actor=OPERATOR, **GOOD)
    version = site_contact().version
    site_contact_set(actor=OPERATOR, name="Ewa Nowak", email=GOOD["email"], version=version)
    saved = site_contact_set(actor=OPERATOR, name=GOOD["name"], email="new@example.org", version=version)
    assert (site_contact().name, site_contact().email) == ("Ewa Nowak", "new@example.org")
    assert saved.kept_fields == ("Name",)
    with pytest.raises(EditConflict):
        site_contact_set(actor=OPERATOR, name="A third", email=GOOD["email"], version=version)


def test_database_refuses_a_second_row_and_malformed_texts():
    for columns in ({"id": 2}, {"name": " x"}, {"name": "a\nb"}, {"email": "nowhere"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            SiteContact.objects.create(**columns)


def test_contact_command_shows_and_stores_the_contact(capsys, settings):
    call_command("contact")
    assert capsys.readouterr().out == "name: missing\ne-mail address: missing\n"
    settings.CONTACT_EMAIL = "society@example.org"
    call_command("contact", "Jan Kowalski", "hall@example.org")
    assert capsys.readouterr().out == (
        "name: Jan Kowalski\ne-mail address: society@example.org (CONTACT_EMAIL of the environment)\n"
    )
    settings.CONTACT_EMAIL = ""
    with pytest.raises(CommandError, match="Enter a valid email address"):
        call_command("contact", "Jan Kowalski", "nowhere")
