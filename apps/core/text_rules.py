"""Rules for text from users: storable characters, cleaning, links, addresses and comparison of names."""

import re
import string
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from unicodedata import category, normalize
from urllib.parse import unquote, urlsplit

from anyascii import anyascii
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator, RegexValidator

from apps.core.limits import ADDRESS_LENGTH

UNSTORABLE = "This text has a character that cannot be stored. Please remove it and try again."


def storable(text: str) -> str:
    """Return `text` as PostgreSQL can store it: without NUL, with a question mark for each lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_storable(value: Any) -> bool:
    """Return whether all texts and keys of a JSON value can be stored: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return storable(value) == value
    if isinstance(value, dict):
        return all(is_storable(name) and is_storable(item) for name, item in value.items())
    return all(map(is_storable, value)) if isinstance(value, list) else True


MARKS = 3  # combining marks on one letter; more would cover the lines above
_BREAKS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_GAPS = re.compile(r"\n(?:[^\S\n]*\n){2,}")
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMPTY = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and patterns that look like a blank
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def text_clean(text: str) -> str:
    """Return `text` for storage: composed (NFC), with plain line breaks, without invisible characters at the ends.

    Control characters, direction marks and more than MARKS accents on a letter are removed. A text of invisible
    characters becomes empty.
    """
    plain = _BREAKS.sub("\n", text).replace("\t", " ")
    visible = "".join(sign for sign in plain if sign == "\n" or not _is_refused(sign))
    return _strip(_GAPS.sub("\n\n", _limit_marks(unicodedata.normalize("NFC", visible))))


def _is_refused(sign: str) -> bool:
    """Return whether a character is removed: controls, lone surrogates, direction marks."""
    return sign in _DIRECTION_MARKS or unicodedata.category(sign) in {"Cc", "Cs"}


def _limit_marks(text: str) -> str:
    """Return `text` with at most MARKS combining marks in a row."""
    result, row = [], 0
    for sign in text:
        row = row + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        if row <= MARKS:
            result.append(sign)
    return "".join(result)


def _strip(text: str) -> str:
    """Return `text` without invisible characters at its ends."""
    begin, end = 0, len(text)
    while begin < end and _is_invisible(text[begin]):
        begin += 1
    while begin < end and _is_invisible(text[end - 1]):
        end -= 1
    return text[begin:end]


def _is_invisible(sign: str) -> bool:
    return sign in _EMPTY or unicodedata.category(sign) in _INVISIBLE


_HOST_LENGTH = 253  # characters (RFC 1035), each of at least one byte
_IPV4_PARTS = 4
_BYTE = 256
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))  # embed an IPv4 address
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_DIGITS = {8: "01234567", 10: "0123456789", 16: "0123456789abcdef"}


def host_read(address: str) -> str:
    """Return the host of an address, a name in lower-case ASCII or an IP address; empty when browsers reject it."""
    try:
        host = urlsplit(address).hostname or ""
        if ":" in host:  # urlsplit has removed the brackets
            return str(IPv6Address(host)) if "%" not in host else ""
        name = normalize("NFKC", unquote(host, errors="strict"))
        if len(name) > _HOST_LENGTH or any(map(_is_ignored, name)):  # IDNA encoding takes quadratic time
            return ""
        name = name.encode("idna").decode().lower().rstrip(".")
        return str(_ipv4_read(name)) if _ends_in_number(name) else name
    except ValueError:
        return ""


def is_public(host: str) -> bool:
    """Return whether a host from `host_read` looks public: neither local nor a private IP address. DNS is not used."""
    if not host or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        address = ip_address(host)
    except ValueError:  # a name
        return True
    return all(item.is_global and not item.is_multicast for item in _embedded_addresses(address))


def _is_ignored(sign: str) -> bool:
    """Return whether browsers omit this character, or map it to one that this Python version does not know."""
    return category(sign).startswith("C") or sign in _FILLERS or any(ord(sign) in signs for signs in _SELECTORS)


def _embedded_addresses(address: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the IPv4 addresses that an IPv6 address embeds, or the address itself if there are none."""
    if isinstance(address, IPv4Address):
        return [address]
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _TRANSLATED):
        inner.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [item for item in inner if item is not None] or [address]


def _ends_in_number(name: str) -> bool:
    """Return whether browsers parse the name as an IPv4 address."""
    last = name.rpartition(".")[2]
    return bool(last) and (last.isdigit() or (last.startswith("0x") and set(last[2:]) <= set(_DIGITS[16])))


def _ipv4_read(name: str) -> IPv4Address:
    """Return the address of up to four numbers, decimal, octal (0…) or hexadecimal (0x…). Raises ValueError.

    The last number fills all remaining bytes.
    """
    parts = [_number(part) for part in name.split(".")]
    *first, last = parts
    if len(parts) > _IPV4_PARTS or any(part >= _BYTE for part in first):
        raise ValueError(name)
    if last >= _BYTE ** (_IPV4_PARTS - len(first)):
        raise ValueError(name)
    return IPv4Address(last + sum(part * _BYTE ** (_IPV4_PARTS - 1 - place) for place, part in enumerate(first)))


def _number(part: str) -> int:
    """Return the value of a part of an IPv4 address. Raises ValueError."""
    base, digits = 10, part
    if part.startswith("0x"):
        base, digits = 16, part[2:]
    elif len(part) > 1 and part.startswith("0"):
        base, digits = 8, part[1:]
    if not part or not set(digits) <= set(_DIGITS[base]):
        raise ValueError(part)
    return int(digits, base) if digits else 0


_SIGN = r'[^\s"<>\\\u0001-\u001f\u007f]'
SECURE_ADDRESS = rf"^https://[^\s/\"<>\\?#\u0001-\u001f\u007f]+([/?#]{_SIGN}*)?$"
_SEGMENT = "[A-Za-z0-9_-][A-Za-z0-9_.-]*"
STATIC_PATH = rf"^/static/({_SEGMENT}/)*{_SEGMENT}$"  # no other path: a picture must not open a page of this site
PICTURE_ADDRESS = rf"({SECURE_ADDRESS})|({STATIC_PATH})"

_PICTURE_MESSAGE = "A picture needs an https:// address or a static file of this site, such as /static/picture.webp."
_HOST_MESSAGE = "A picture needs the address of another, public site."

SECURE_PICTURE = "A picture needs an https:// address of another site."  # where static files are refused


def validate_other_host(address: str) -> None:
    """Raise ValidationError for an https:// address of this site or of a private network, in any spelling."""
    if not address.startswith("https:"):
        return
    host = host_read(address)
    own = {host_read(settings.PUBLIC_URL), *(host_read(f"//{name}") for name in settings.ALLOWED_HOSTS)}
    if host in own or not is_public(host):
        raise ValidationError(_HOST_MESSAGE)


def is_picture_address(address: str) -> bool:
    """Return whether an address is valid for a picture."""
    try:
        for validate in picture_address:
            validate(address)
    except ValidationError:
        return False
    return True


def is_secure_picture_address(address: str) -> bool:
    """Return whether an address is valid for a picture that a user posts: on another site, over https."""
    return address.startswith("https:") and is_picture_address(address)


picture_address = (
    ProhibitNullCharactersValidator(_PICTURE_MESSAGE),  # PostgreSQL's patterns cannot contain NUL
    RegexValidator(PICTURE_ADDRESS.replace("$", r"\Z"), _PICTURE_MESSAGE),
    MaxLengthValidator(ADDRESS_LENGTH),
    validate_other_host,
)


# Points of Hebrew, vowel signs and the stretch of Arabic: neither readers nor users who type write them.
_UNWRITTEN = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
# Spellings of one letter of German and the Nordic languages on keyboards without it; the order matters.
DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
SIGNS = string.punctuation + " "
_NO_SIGNS = str.maketrans("", "", SIGNS)
_INVISIBLE_IN_NAMES = str.maketrans(
    "", "", "\u00ad\u200b\u2060\ufeff"
)  # joiners stay, because Persian and Indic names need them
_ONE_WAY = str.maketrans("‐‑‒–’‘ʼ`´", "-" * 4 + "'" * 5)


def fold(text: str) -> str:
    """Return `text` in lower-case ASCII with single spaces, for searching and sorting."""
    return " ".join(ascii_text(text).lower().split())


def ascii_text(text: str) -> str:
    """Return `text` in ASCII, the same for composed and decomposed, full-width and plain letters.

    Invisible format characters are dropped; other unprintable characters become a space.
    """
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFKC", text)
    visible = (sign for sign in composed if unicodedata.category(sign) != "Cf")
    printable = "".join(sign if sign.isprintable() else " " for sign in visible)
    return anyascii(_UNWRITTEN.sub("", printable))


def name_clean(text: str) -> str:
    """Return a name for storage: without zero-width characters, with single spaces."""
    return " ".join(text.translate(_INVISIBLE_IN_NAMES).split())


def same_text(text: str) -> str:
    """Return a key for comparing names by their look: without case, hyphen variants and invisible characters."""
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFKC", text).translate(_ONE_WAY).casefold()
    return " ".join("".join(sign for sign in composed if unicodedata.category(sign) != "Cf").split())


def has_letter(text: str) -> bool:
    """Return whether a text has a letter of any script."""
    return any(map(str.isalpha, text))


def name_key(folded: str) -> str:
    """Return a folded name as one word without punctuation and spaces, with each pair of `DIGRAPHS` as one letter.

    "Seong-jin" and "Seongjin", "D'Arcy" and "Darcy", "Müller" and "Mueller" have one key; so have a few other names.
    """
    key = folded.translate(_NO_SIGNS)
    for pair, letter in DIGRAPHS:
        key = key.replace(pair, letter)
    return key


def search_texts(name: str) -> str:
    """Return the texts in which a browser searches a name: folded, keys in both orders, and the name without spaces."""
    words = name.split()
    orders = (words, words[-1:] + words[:-1])
    keys = (name_key(fold("".join(order))) for order in orders)
    return " ".join(dict.fromkeys([fold(name), *keys, *("".join(order).lower() for order in orders)]))


def _capital(word: str) -> str:
    """Return the first capital of a word, or an empty text for particles such as "van"."""
    return next((sign for sign in word if sign.isupper()), "")


def initials(name: str) -> str:
    """Return the one or two letters that represent a person without a picture."""
    words = name.split()
    capitals = [capital for word in words if (capital := _capital(word))]
    if capitals:
        return "".join(capitals[:2])
    letter = next((sign for sign in name if sign.isalnum()), "")
    return letter.upper()[:1]


# Anonymous visitors choose the text, so each pattern runs in linear time: a look-behind prevents retries within a word,
# and possessive quantifiers (`*+`, `(?>`) prevent backtracking.
_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+'-])[A-Za-z0-9._%+'-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++")
_SIGN_IN_QUERY = re.compile(
    r"(?<![^\s?#\"'<>])"
    r"((?>[^\s?#\"'<>]*?/(?:login|register|forgot-password|reset-password|verify-email|reauthenticate|auth|accounts)\b)"
    r"[^\s?#\"'<>]*+)[?#][^\s\"'<>]*+"
)
_SECRET_ADDRESS = re.compile(r"(/calendars/)[^\s\"'<>]+")  # of a private calendar
_ROW = re.compile(r"(Failing row contains )\(.*?(?:\)\.(?=\s|['\"]|\\n|\Z)|\Z)", re.DOTALL)  # also a truncated row
_ADDRESS_SIGNS = string.ascii_letters + string.digits + "._%+'-@\0"
_LONGEST_ADDRESS = 254  # characters (RFC 5321)


def cut(text: str, longest: int) -> str:
    """Return the first `longest` characters of `text`, with an ellipsis when it is cut.

    A possible beginning of an e-mail address at the cut is removed, because `scrub` cannot recognise it.
    """
    if len(text) <= longest:
        return text
    before = max(0, longest - _LONGEST_ADDRESS)
    return f"{text[:before]}{text[before:longest].rstrip(_ADDRESS_SIGNS)}…"


def scrub(text: str) -> str:
    """Return `text` with e-mail addresses replaced by a hash, without queries of sign-in pages, secrets and rows.

    PostgreSQL's errors contain the refused row, hashed password included.
    """
    without_secrets = _SECRET_ADDRESS.sub(r"\1…", _SIGN_IN_QUERY.sub(r"\1", storable(text)))
    without_rows = _ROW.sub(r"\1(…).", without_secrets)
    return _EMAIL.sub(lambda found: f"[address {_hash(found[0])}]", without_rows)


def _hash(address: str) -> str:
    """Return eight characters of a hash that distinguish addresses."""
    return sha256(address.lower().encode()).hexdigest()[:8]


# Characters that never occur in an address: those of sentences in scripts without spaces, Arabic ones, and invisible
# ones. The full stop of Chinese also divides the labels of a host.
_NEVER = "。，、；：！？（）「」『』【】〈〉《》〔〕｡､،؛؟\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_FOUND = re.compile(rf"(?<![A-Za-z0-9])[Hh][Tt][Tt][Pp][Ss]?://(?:[^\s<>\"`{{}}|\\^{_NEVER}]|[。｡](?=[A-Za-z0-9]))++")
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z]++)://(?P<host>[^/?#:]*+)(?P<port>:[0-9]{1,5}+)?+(?P<rest>(?:[/?#].*+)?+)", re.DOTALL
)
_HOST = re.compile(r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++\.?")
_SENTENCE_ENDS = frozenset(".,;:!?'*_~…’‘”“»«›‹।")  # punctuation that ends the sentence around an address
_BRACKETS = {")": "(", "]": "["}  # end it too, unless they were opened within the address


@dataclass(frozen=True, slots=True)
class LinkedText:
    """A piece of a text: plain, or a link to `address`."""

    text: str
    address: str = ""


def text_links(text: str) -> tuple[LinkedText, ...]:
    """Return `text` in pieces, links and plain text. Joined, they are the text, except for hosts outside ASCII.

    Such a host, which may imitate another one, is written in its ASCII form.
    """
    return tuple(_joined(_pieces(text)))


def links(text: str) -> int:
    """Return the number of links in a text."""
    return sum(bool(piece.address) for piece in text_links(text))


def link_of(address: str) -> LinkedText:
    """Return an address as a link, or as plain text unless it is http(s) and has a host name.

    The host is in ASCII. An address with a user name or password is plain text.
    """
    parts = _PARTS.fullmatch(address)
    is_web = parts is not None and parts["scheme"].lower() in ("http", "https")
    host = _ascii_host(parts["host"]) if parts and is_web else ""
    if not parts or not host:
        return LinkedText(address)
    after = f"{parts['port'] or ''}{parts['rest']}"
    return LinkedText(f"{parts['scheme']}://{host}{after}", f"{parts['scheme'].lower()}://{host}{after}")


def _pieces(text: str) -> Iterator[LinkedText]:
    end = 0
    for found in _FOUND.finditer(text):
        yield LinkedText(text[end : found.start()])
        end = found.end()
        length = _link_length(found[0])
        yield link_of(found[0][:length])
        yield LinkedText(found[0][length:])
    yield LinkedText(text[end:])


def _joined(pieces: Iterable[LinkedText]) -> Iterator[LinkedText]:
    """Yield the non-empty pieces, with adjacent plain ones joined."""
    plain: list[str] = []
    for piece in pieces:
        if not piece.address:
            plain.append(piece.text)
            continue
        if before := "".join(plain):
            yield LinkedText(before)
        plain.clear()
        yield piece
    if after := "".join(plain):
        yield LinkedText(after)


def _link_length(link: str) -> int:
    """Return the length of an address without the punctuation and brackets of the sentence around it."""
    end = len(link)
    surplus = {close: link.count(close) - link.count(begin) for close, begin in _BRACKETS.items()}
    while end:
        last = link[end - 1]
        if last in _BRACKETS and surplus[last] > 0:
            surplus[last] -= 1
        elif last not in _SENTENCE_ENDS:
            break
        end -= 1
    return end


def _ascii_host(host: str) -> str:
    """Return the host in ASCII as DNS knows it, or an empty text if it is invalid; ASCII hosts are unchanged."""
    if len(host) > _HOST_LENGTH:  # IDNA encoding takes quadratic time
        return ""
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return ""
    return name if _HOST.fullmatch(name) else ""


DIVIDERS = ";,|\t\r\n"
ACTIVE = "=+-@＝＋－＠﹦﹢﹣﹫−"
_BEGINS = rf"((?:^|[{DIVIDERS}])(?:[^\S\t\r\n]|\")*)"
_FORMULA = rf"('*[{re.escape(ACTIVE)}])"
_UNGUARDED = re.compile(_BEGINS + _FORMULA)
_GUARDED = re.compile(f"{_BEGINS}'{_FORMULA}")


def cell_guard(text: str) -> str:
    """Return the text for a spreadsheet cell, with an apostrophe before formulas so that they are not computed."""
    return _UNGUARDED.sub(r"\1'\2", text)


def cell_unguard(text: str) -> str:
    """Return the original text of a guarded cell: the reverse of `cell_guard`."""
    return _GUARDED.sub(r"\1\2", text)
