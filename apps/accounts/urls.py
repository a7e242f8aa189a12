"""Addresses of accounts: signing in, second factors and the profile's forms.

They have this site's paths, and the names that allauth uses for them, for views of both. The views are imported when
they are first requested: with allauth's forms, passkeys and Google they take 25 MiB and a fifth of a process's start.
"""

from allauth.account.views import account_inactive, password_reset_done
from allauth.account.views import password_reset_from_key_done as reset_done
from django.urls import path

from apps.accounts.later_views import later_view as view

sign_in_patterns = [
    path("login", view("sign_in.views.login"), name="account_login"),
    path("register", view("sign_in.views.register"), name="account_signup"),
    path("register/sent", view("sign_in.registered.registered"), name="registered"),
    path("register/sent/again", view("sign_in.registered.send_again"), name="registered_again"),
    path("register/sent/address", view("sign_in.registered.readdress"), name="registered_address"),
    path("forgot-password", view("sign_in.views.forgot_password"), name="account_reset_password"),
    path("forgot-password/sent", password_reset_done, name="account_reset_password_done"),
    path("reset-password", view("sign_in.views.reset_password"), name="account_reset_password_from_key"),
    path("reset-password/done", reset_done, name="account_reset_password_from_key_done"),
    path("verify-email", view("sign_in.views.verify_email"), name="account_confirm_email"),
    path("verify-email/send", view("sign_in.views.verify_email_send"), name="verify_email_send"),
    path("verify-email/sent", view("sign_in.views.verify_email_sent"), name="account_email_verification_sent"),
    path("reauthenticate", view("second_factor.reauthentication.again"), name="account_reauthenticate"),
    path("reauthenticate/code", view("second_factor.reauthentication.code_again"), name="mfa_reauthenticate"),
    path(
        "reauthenticate/passkey",
        view("second_factor.reauthentication.passkey_again"),
        name="mfa_reauthenticate_webauthn",
    ),
    path("account-closed", account_inactive, name="account_inactive"),
    path("login/link", view("sign_in.link.ask"), name="sign_in_link"),
    path("login/link/sent", view("sign_in.link.sent"), name="sign_in_link_sent"),
    path("login/link/use", view("sign_in.link.use"), name="sign_in_link_use"),
    path("login/google", view("sign_in.social.start"), name="google_login"),
    path("register/google", view("sign_in.social.start_new"), name="google_signup"),
    path("auth/callback", view("sign_in.social.callback"), name="google_callback"),
]
factor_patterns = [
    path("two-factor", view("second_factor.views.two_factor"), name="mfa_authenticate"),
    path("login/passkey", view("second_factor.views.passkey_login"), name="mfa_login_webauthn"),
    path("profile/two-factor", view("second_factor.views.overview"), name="mfa_index"),
    path("first-factor", view("second_factor.reauthentication.first_factor"), name="first_factor"),
    path("first-factor/send", view("second_factor.reauthentication.send"), name="first_factor_send"),
    path("profile/two-factor/app", view("second_factor.views.app"), name="mfa_activate_totp"),
    path("profile/two-factor/app/off", view("second_factor.views.app_off"), name="mfa_deactivate_totp"),
    path("profile/two-factor/codes", view("second_factor.views.codes_left"), name="mfa_view_recovery_codes"),
    path("profile/two-factor/codes/new", view("second_factor.views.codes_new"), name="mfa_generate_recovery_codes"),
    path(
        "profile/two-factor/codes/download",
        view("second_factor.views.codes_download"),
        name="mfa_download_recovery_codes",
    ),
    path("profile/passkeys", view("second_factor.views.passkeys"), name="mfa_list_webauthn"),
    path("profile/passkeys/add", view("second_factor.views.passkey_add"), name="mfa_add_webauthn"),
    path("profile/passkeys/name", view("second_factor.views.passkey_name"), name="mfa_edit_webauthn"),
    path("profile/passkeys/remove", view("second_factor.views.passkey_remove"), name="mfa_remove_webauthn"),
]
profile_patterns = [
    path("profile/settings", view("profile_forms.settings_save")),
    path("profile/sessions/end", view("profile_forms.session_end")),
    path("profile/sessions/end-others", view("profile_forms.sessions_end_others")),
    path("profile/export", view("profile_forms.export")),
    path("profile/delete", view("profile_forms.delete")),
]
urlpatterns = [*sign_in_patterns, *factor_patterns, *profile_patterns]
