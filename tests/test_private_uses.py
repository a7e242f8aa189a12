"""Every private name of an upstream package that our code uses has a digest here; a test fails when it changes.

Digests of overridden methods are in tests/components/runtime/rendering/test_upstream.py and
tests/project/server/test_upstream.py.
"""

import inspect
import re
import textwrap
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings

from tests.offenders import check_each
from tests.upstream import OURS, digest_of, named, private_uses

# Digests of code, and values of constants. If one fails: read the upstream change, then adapt our code or update it.
READ = {
    "allauth.account.internal.flows.email_verification.consume_email_verification_rate_limit": "9a333bd7",
    "allauth.account.internal.flows.email_verification.verify_email_and_resume": "0834bd62",
    "allauth.account.internal.flows.email_verification.verify_email_indirectly": "e7291468",
    "allauth.account.internal.flows.login.AUTHENTICATION_METHODS_SESSION_KEY": "account_authentication_methods",
    "allauth.account.internal.flows.login._AUTHENTICATION_METHODS_USER_SESSION_KEY": (
        "account_authentication_methods_user"
    ),
    "allauth.account.internal.flows.login.get_authentication_records": "6aad3cf6",
    "allauth.account.internal.flows.login.perform_login": "9b76a5b9",
    "allauth.account.internal.flows.login.record_authentication": "d5a5fd2e",
    "allauth.account.internal.flows.logout.logout": "e7ada392",
    "allauth.account.internal.flows.password_reset.finalize_password_reset": "807ede70",
    "allauth.account.internal.userkit.filter_users_by_email": "1746b040",
    "allauth.core.internal.ratelimit.apply_rate": "230cd902",
    "allauth.core.internal.ratelimit.get_cache_key": "89eb454d",
    "allauth.core.internal.ratelimit.get_rates": "3669ff61",
    "allauth.mfa.totp.internal.auth.generate_totp_secret": "8297d392",
    "allauth.mfa.webauthn.internal.auth.begin_authentication": "7c1f4d1b",
    "allauth.mfa.webauthn.internal.auth.begin_registration": "a05871a1",
    "allauth.mfa.webauthn.internal.auth.STATE_SESSION_KEY": "mfa.webauthn.state",
    "allauth.mfa.webauthn.internal.flows.perform_passwordless_login": "9f9fda49",
    "allauth.socialaccount.internal.jwtkit.verify_jti": "705ac1d8",
    "reactpy.core._life_cycle_hook.HOOK_STACK.get": "94843933",
    "reactpy.core._life_cycle_hook.LifeCycleHook": "9b831afd",
    "reactpy.core.hooks._CurrentState": "423cce15",
    "reactpy.core.layout._make_element_model_state": "d59065cd",
    "reactpy.core.layout._DICT_TYPE": 1,
    "reactpy.core.layout._COMPONENT_TYPE": 2,
    "reactpy.core.layout._STRING_TYPE": 3,
}
CALLED = {
    "._getCoordinatesAndControls": ("fontTools.ttLib.tables._g_l_y_f.table__g_l_y_f", "5aad053d"),
}
OVERRIDDEN = {
    (DefaultAccountAdapter, "_delete_login_attempts_cached_email"): "f0aaa9c0",
}
# Private attributes, and the upstream class that sets them.
SET_BY = {
    "._work_queue.qsize": "concurrent.futures.thread.ThreadPoolExecutor",
    "._asyncioEventloop": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "._tempDataBuffer": "twisted.internet.abstract.FileDescriptor",
    "._tempDataLen": "twisted.internet.abstract.FileDescriptor",
    "._path": "twisted.web.http.HTTPChannel",
    "._effect_funcs": "reactpy.core._life_cycle_hook.LifeCycleHook",
}
DOCUMENTED = {
    "._asdict", "._fields", "._default_manager.filter", "._meta.concrete_fields", "os._exit",
    "sys._current_frames", "._value_",
}  # fmt: skip
REPLACED = {"reactpy.core.layout._get_children_info"}  # tests/components/runtime/rendering/test_upstream.py


def read(path: str) -> Any:
    """Return the digest of a function or class, or the value of a constant."""
    found = named(path)
    return digest_of(found) if callable(found) else found


def test_code_of_upstream_is_the_one_that_was_read() -> None:
    check_each(READ, lambda path: read(path) == READ[path])
    for name, (owner, digest) in CALLED.items():
        assert digest_of(vars(named(owner))[name.removeprefix(".")]) == digest, name
    for (owner, name), digest in OVERRIDDEN.items():
        assert digest_of(vars(owner)[name]) == digest, name


def test_attributes_are_still_set_where_they_were() -> None:
    def check(name: str) -> None:
        attribute = name.split(".")[1]
        assert re.search(rf"\b(self\.)?{attribute}\b.* = ", inspect.getsource(named(SET_BY[name])))

    check_each(SET_BY, check)


def test_every_private_use_has_an_alarm() -> None:
    known = READ.keys() | CALLED.keys() | SET_BY.keys() | DOCUMENTED | REPLACED
    used: dict[str, str] = {}
    for folder in OURS:
        for file in (settings.ROOT / folder).rglob("*.py"):
            if "node_modules" not in file.parts:
                used |= dict.fromkeys(private_uses(file.read_text()), str(file))
    assert {name: file for name, file in used.items() if name not in known} == {}
    assert sorted(known - used.keys()) == [], "used no more"


def test_uses_are_found_however_they_are_written() -> None:
    source = """
    import os
    import package._hidden
    from package import internal
    from package.module import _private as public, known
    from apps.ours import _own

    class Ours(known.Base):
        def _method(self):
            super()._method()
            self._state(os._exit, known._deep.value, internal.flows.login(), public(), _own(), self.other._theirs)

        def __init__(self):
            self.__dict__
    """
    assert private_uses(textwrap.dedent(source)) == {
        "package._hidden",
        "package.internal.flows.login",
        "package.module._private",
        "package.module.known._deep.value",
        "os._exit",
        "._theirs",
    }
