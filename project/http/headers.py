"""The headers of every page, for Django's middleware and for page views, which bypass it; and what a browser takes."""

from functools import cache
from urllib.parse import urlsplit

from django.conf import settings

from components.rendering.document import import_map_hash

PLAYER = "https://www.youtube-nocookie.com"
PUBLIC = "public, max-age=0, s-maxage=2, must-revalidate"  # a proxy may show strangers a page that is 2 s old
PERSONAL = "no-store"


def page_headers(caching: str) -> dict[str, str]:
    """Return the headers of a page view, by name; `caching` is PUBLIC or PERSONAL."""
    return {"Cache-Control": caching, "Vary": "Cookie, Accept-Encoding", **security_headers()}


@cache
def security_headers() -> dict[str, str]:
    """Return the security headers of an answer, by name.

    No nonce: a nonce and a cached page or a 304 exclude each other. The referrer policy is the strictest with which
    YouTube's player works.
    """
    public = urlsplit(settings.PUBLIC_URL)
    socket = f"{'wss' if public.scheme == 'https' else 'ws'}://{public.netloc}"
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' '{import_map_hash()}'",
            "style-src 'self'",
            "img-src 'self' https:",
            f"connect-src 'self' {socket}",
            f"frame-src {PLAYER}",
            f"form-action 'self' {settings.GOOGLE.origin}" if settings.GOOGLE.is_there else "form-action 'self'",
            "base-uri 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
        ]
    )
    headers = {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    if public.scheme == "https":
        headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains"
    return headers


def public_origin() -> str:
    """Return the exact origin from which a socket may be opened: scheme, host and port."""
    public = urlsplit(settings.PUBLIC_URL)
    return f"{public.scheme}://{public.netloc}"


def accepts(value: bytes, coding: bytes) -> bool:
    """Whether an Accept-Encoding allows this coding; what names it counts before `*`."""
    asked = dict(_coding(part) for part in value.lower().split(b","))
    return asked.get(coding, asked.get(b"*", False))


def _coding(part: bytes) -> tuple[bytes, bool]:
    """Return a coding's name, and whether its quality is more than nothing: 0, 0.0, 0.00 and 0.000 refuse it."""
    name, _, quality = part.replace(b" ", b"").replace(b"\t", b"").partition(b";")
    return name, quality.rstrip(b"0") not in {b"q=", b"q=0.", b"q=."}
