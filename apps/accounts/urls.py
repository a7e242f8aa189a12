"""Addresses of accounts: signing in, second factors and the profile's forms.

They have this site's paths, and the names that allauth uses for them, for views of both.
"""

from allauth.account.views import account_inactive, password_reset_done
from allauth.account.views import password_reset_from_key_done as reset_done
from django.urls import path

from apps.accounts import profile_forms
from apps.accounts.second_factor import reauthentication
from apps.accounts.second_factor import views as factors
from apps.accounts.sign_in import link, registered, social
from apps.accounts.sign_in import views as accounts

sign_in_patterns = [
    path("login", accounts.login, name="account_login"),
    path("register", accounts.register, name="account_signup"),
    path("register/sent", registered.registered, name="registered"),
    path("register/sent/again", registered.send_again, name="registered_again"),
    path("register/sent/address", registered.readdress, name="registered_address"),
    path("forgot-password", accounts.forgot_password, name="account_reset_password"),
    path("forgot-password/sent", password_reset_done, name="account_reset_password_done"),
    path("reset-password", accounts.reset_password, name="account_reset_password_from_key"),
    path("reset-password/done", reset_done, name="account_reset_password_from_key_done"),
    path("verify-email", accounts.verify_email, name="account_confirm_email"),
    path("verify-email/send", accounts.verify_email_send, name="verify_email_send"),
    path("verify-email/sent", accounts.verify_email_sent, name="account_email_verification_sent"),
    path("reauthenticate", reauthentication.again, name="account_reauthenticate"),
    path("reauthenticate/code", reauthentication.code_again, name="mfa_reauthenticate"),
    path("reauthenticate/passkey", reauthentication.passkey_again, name="mfa_reauthenticate_webauthn"),
    path("account-closed", account_inactive, name="account_inactive"),
    path("login/link", link.ask, name="sign_in_link"),
    path("login/link/sent", link.sent, name="sign_in_link_sent"),
    path("login/link/use", link.use, name="sign_in_link_use"),
    path("login/google", social.start, name="google_login"),
    path("register/google", social.start_new, name="google_signup"),
    path("auth/callback", social.callback, name="google_callback"),
]
factor_patterns = [
    path("two-factor", factors.two_factor, name="mfa_authenticate"),
    path("login/passkey", factors.passkey_login, name="mfa_login_webauthn"),
    path("profile/two-factor", factors.overview, name="mfa_index"),
    path("first-factor", reauthentication.first_factor, name="first_factor"),
    path("first-factor/send", reauthentication.send, name="first_factor_send"),
    path("profile/two-factor/app", factors.app, name="mfa_activate_totp"),
    path("profile/two-factor/app/off", factors.app_off, name="mfa_deactivate_totp"),
    path("profile/two-factor/codes", factors.codes_left, name="mfa_view_recovery_codes"),
    path("profile/two-factor/codes/new", factors.codes_new, name="mfa_generate_recovery_codes"),
    path("profile/two-factor/codes/download", factors.codes_download, name="mfa_download_recovery_codes"),
    path("profile/passkeys", factors.passkeys, name="mfa_list_webauthn"),
    path("profile/passkeys/add", factors.passkey_add, name="mfa_add_webauthn"),
    path("profile/passkeys/name", factors.passkey_name, name="mfa_edit_webauthn"),
    path("profile/passkeys/remove", factors.passkey_remove, name="mfa_remove_webauthn"),
]
profile_patterns = [
    path("profile/settings", profile_forms.settings_save),
    path("profile/sessions/end", profile_forms.session_end),
    path("profile/sessions/end-others", profile_forms.sessions_end_others),
    path("profile/export", profile_forms.export),
    path("profile/delete", profile_forms.delete),
]
urlpatterns = [*sign_in_patterns, *factor_patterns, *profile_patterns]
