"""Commands of accounts: default pictures, who runs the site, and administrators' decisions about accounts."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import own_tables_register
from apps.accounts.limits import CONTACT_TEXTS
from apps.accounts.services import factors, profile, roles, site_contact
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts

AVATARS, CONTACT = "/admin?tab=avatars", "/admin/contact"


@command(Access.ADMINISTRATOR)
def default_avatars_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the default pictures."""
    pictures = {name: given.text(name, ADDRESS_LENGTH) for name in ("user_avatar_url", "participant_avatar_url")}
    saved = profile.default_avatars_set(actor=actor, version=given.text("version", ADDRESS_LENGTH), **pictures)
    return Answer(t(saved.row), go=AVATARS, kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR)
def site_contact_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store who runs the site."""
    texts = given.texts(CONTACT_TEXTS)
    saved = site_contact.site_contact_set(actor=actor, version=given.text("version", ADDRESS_LENGTH), **texts)
    return Answer(t(saved.row), go=CONTACT, kept_fields=saved.kept_fields)


@command(Access.MEMBER)
def covers_texts_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Cover texts about performances until the actor has marked them ("on"), or show them at once ("off")."""
    return Answer(t(profile.covers_texts_set(actor=actor, is_on=given.word(0, ("on", "off")) == "on")))


@command(Access.FRESH_ADMINISTRATOR, confirm="Make this account an administrator's?")
def admin_grant(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Make the account in the argument an administrator's."""
    done = roles.admin_grant(actor=actor, account_id=given.id())
    return Answer(t("Administrator appointed.") if done else t("This account is an administrator's already."))


@command(Access.FRESH_ADMINISTRATOR, confirm="Take the administration away?")
def admin_revoke(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Make the account in the argument an ordinary one."""
    done = roles.admin_revoke(actor=actor, account_id=given.id())
    return Answer(t("Administrator dismissed.") if done else t("This account is no administrator's."))


@command(Access.FRESH_ADMINISTRATOR, confirm="Close this account?")
def account_deactivate(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Close the account in the argument."""
    done = roles.account_deactivate(actor=actor, account_id=given.id())
    return Answer(t("Account closed.") if done else t("This account is closed already."))


@command(Access.FRESH_ADMINISTRATOR, confirm="Open this account again?")
def account_activate(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Open the account in the argument again."""
    done = roles.account_activate(actor=actor, account_id=given.id())
    return Answer(t("Account opened again.") if done else t("This account is open already."))


@command(Access.ADMINISTRATOR, confirm="Let this person try to sign in again?")
def account_unlock(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Reset the counted sign-ins of the account in the argument."""
    done = roles.account_unlock(actor=actor, account_id=given.id())
    return Answer(t("Failed sign-ins forgotten.") if done else t("This account is not locked."))


@command(Access.FRESH_ADMINISTRATOR, confirm="Forget this account's second factors?")
def factors_forget(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the second factors of the account in the argument."""
    done = factors.factors_forget(actor=actor, account_id=given.id())
    return Answer(t("Second factors forgotten.") if done else t("This account has no second factor."))


own_tables_register()
