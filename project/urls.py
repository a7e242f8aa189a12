"""Addresses that are not pages; everything else is one, or leads to one.

Forms and sign-in are allauth's views at addresses of ours, under the names by which allauth finds them.
"""

from allauth.account.views import account_inactive, email_verification_sent, password_reset_done, reauthenticate
from allauth.account.views import password_reset_from_key_done as reset_done
from django.urls import URLPattern, path, re_path

from apps.accounts import google
from apps.accounts import views as accounts
from project import endpoints, faults, profile, views

accounts_patterns = [
    path("login", accounts.login, name="account_login"),
    path("register", accounts.register, name="account_signup"),
    path("forgot-password", accounts.forgot_password, name="account_reset_password"),
    path("forgot-password/sent", password_reset_done, name="account_reset_password_done"),
    path("reset-password", accounts.reset_password, name="account_reset_password_from_key"),
    path("reset-password/done", reset_done, name="account_reset_password_from_key_done"),
    path("verify-email", accounts.verify_email, name="account_confirm_email"),
    path("verify-email/send", accounts.verify_email_send, name="verify_email_send"),
    path("verify-email/sent", email_verification_sent, name="account_email_verification_sent"),
    path("reauthenticate", reauthenticate, name="account_reauthenticate"),
    path("account-closed", account_inactive, name="account_inactive"),
    path("login/google", google.start, name="google_login"),
    path("register/google", google.start_new, name="google_signup"),
    path("auth/callback", google.callback, name="google_callback"),
]
profile_patterns = [
    path("profile/settings", profile.settings_save),
    path("profile/sessions/end", profile.session_end),
    path("profile/sessions/end-others", profile.sessions_end_others),
    path("profile/export", profile.export),
    path("profile/delete", profile.delete),
]
other_patterns = [
    path("robots.txt", endpoints.robots),
    path("sitemap.xml", endpoints.sitemap),
    path("favicon.ico", endpoints.favicon),
    path("sign-out", endpoints.sign_out),
    path("error-log", faults.report),
]
urlpatterns: list[URLPattern] = [*accounts_patterns, *profile_patterns, *other_patterns, re_path("", views.page)]
OTHER = frozenset(f"/{each.pattern}" for each in urlpatterns[:-1])  # GET and HEAD of these are not page views
handler500 = "project.failures.fault"
