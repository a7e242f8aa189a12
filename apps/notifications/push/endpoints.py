"""Which push services the site sends to, and which keys of browsers it accepts."""

from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from apps.notifications.push.base64url import decoded

POINT_BYTES, SECRET_BYTES = 65, 16


def endpoint_is_allowed(endpoint: str) -> bool:
    """Return whether the site sends to this address: https, no port, no user, and a host of PUSH_HOSTS.

    Browsers write no port; with one, two addresses would be the same place. A host that begins with "*." matches all
    names below it. PUSH_TEST_ORIGIN has the push services of the tests.
    """
    parts = _split(endpoint)
    if parts is None or parts.scheme != "https" or "@" in parts.netloc or parts.fragment:
        return False
    if f"https://{parts.netloc}" in settings.PUSH_TEST_ORIGIN.split():
        return True
    if parts.netloc != parts.hostname:  # which is in lower case
        return False
    return any(_is_host(parts.hostname or "", allowed) for allowed in settings.PUSH_HOSTS)


def host_of(endpoint: str) -> str:
    """Return the host of an endpoint: all of it that logs and exports may contain."""
    parts = _split(endpoint)
    return (parts.hostname or "") if parts else ""


def audience_of(endpoint: str) -> str:
    """Return the origin of an endpoint, to which the site's signature is made out."""
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


def keys_are_valid(*, p256dh: str, auth: str) -> bool:
    """Return whether these are a browser's keys: a point of the curve P-256, and a secret of 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - 9 MiB, for sites that offer push

    point = decoded(p256dh)
    if len(point) != POINT_BYTES or len(decoded(auth)) != SECRET_BYTES:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:  # not on the curve
        return False
    return True


def _split(endpoint: str) -> SplitResult | None:
    """Return the parts of an address of printable ASCII; None for any other text, and for a port that is no number."""
    if not (endpoint.isascii() and endpoint.isprintable()) or " " in endpoint or "\\" in endpoint:
        return None
    try:
        parts = urlsplit(endpoint)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _is_host(host: str, allowed: str) -> bool:
    below = allowed.removeprefix("*")  # such as .push.apple.com
    return host.endswith(below) and len(host) > len(below) if below != allowed else host == allowed
