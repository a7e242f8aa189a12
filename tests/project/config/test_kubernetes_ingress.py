"""The Ingress has the same paths and limits as nginx.conf."""

import re
from collections import Counter

from components.runtime.rendering.document import LIVE
from tests.offenders import check_each
from tests.project.config.manifests import ALL, INGRESSES, SETTINGS, notes, paths
from tests.project.config.test_deployment import NGINX

SIGN_IN = "login|register|forgot-password|reset-password|verify-email|reauthenticate|auth"
ZONES = {
    "parterre-pages": ("/", "pages"),
    "parterre-sign-in": (f"~ ^/({SIGN_IN})(/|$)", "sign_in"),
    "parterre-long-text": ("= /long-text", "uploads"),
    "parterre-participant-file": ("= /participant-file", "uploads"),
    "parterre-sockets": (f"= {LIVE}", "handshakes"),
}  # fmt: skip


def location(place: str) -> str:
    return NGINX[(start := NGINX.index(f"\n        location {place} {{")) : NGINX.index("\n        }", start)]


def ingress_compare(name: str) -> None:
    """Compare the limits and time-outs of an Ingress with those of its location in nginx.conf."""
    place, zone = ZONES[name]
    block, annotations = location(place), notes(name)
    [rate] = re.findall(rf"limit_req_zone \$visitor\w* zone={zone}:10m rate=(\S+);", NGINX)
    assert annotations["limit-req-rate"] == rate
    assert f"limit_req zone={zone} burst={annotations['limit-req-burst']} nodelay;" in block
    assert (annotations["limit-req-no-delay"], annotations["limit-req-reject-code"]) == ("true", "429")
    for key in ("client-max-body-size", "proxy-read-timeout", "proxy-send-timeout", "proxy-next-upstream"):
        directive = key.replace("-", "_")
        [value] = (
            re.findall(rf"{directive} (.+);", block)
            or re.findall(rf"^    {directive} (.+);", NGINX, re.MULTILINE)
            or [None]
        )
        assert annotations.get(key) == value, key
    for key in ("proxy-connect-timeout", "proxy-next-upstream-timeout"):
        assert f"    {key.replace('-', '_')} {annotations[key]};" in NGINX
    most = annotations["max-fails"]
    fails = f"max_fails={most}" + (f" fail_timeout={annotations['fail-timeout']}" if most != "0" else ";")
    upstream = "sockets" if name == "parterre-sockets" else "pages"
    assert fails in NGINX[(start := NGINX.index(f"upstream {upstream} {{")) : NGINX.index("\n        }", start)]


def test_ingress_has_the_limits_of_nginx() -> None:
    check_each(ZONES, ingress_compare)


def test_ingress_has_the_paths_of_nginx() -> None:
    assert paths("parterre-sign-in") == {f"/{word}": "Prefix" for word in SIGN_IN.split("|")}
    assert paths("parterre-sockets") == {LIVE: "Exact"}
    assert notes("parterre-sockets")["websocket-services"] == ALL["Service", "parterre"]["metadata"]["name"]
    assert (paths("parterre-pages"), paths("parterre-static")) == ({"/": "Prefix"}, {"/static/": "Prefix"})
    host = SETTINGS["PUBLIC_URL"].removeprefix("https://")
    assert {rule["host"] for each in INGRESSES.values() for rule in each["spec"]["rules"]} == {host}
    [tls] = INGRESSES["parterre"]["spec"]["tls"]
    assert tls["hosts"] == [host]
    kinds = Counter(notes(name)["mergeable-ingress-type"] for name in INGRESSES)
    assert kinds == {"master": 1, "minion": 7}
