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
    """Whether all texts of a JSON value, names included, can be stored: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return storable(value) == value
    if isinstance(value, dict):
        return all(is_storable(name) and is_storable(each) for name, each in value.items())
    return all(map(is_storable, value)) if isinstance(value, list) else True


MARKS = 3  # combining marks on one letter; more would cover the lines above
_BREAKS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_GAPS = re.compile(r"\n(?:[^\S\n]*\n){2,}")
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMPTY = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and patterns that look like a blank
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def text_clean(text: str) -> str:
    """Return `text` as it is stored: composed (NFC), with plain line breaks, without invisible characters around it.

    Control characters, direction marks and more than MARKS accents on a letter are removed; a text of invisible
    characters becomes empty.
    """
    plain = _BREAKS.sub("\n", text).replace("\t", " ")
    visible = "".join(sign for sign in plain if sign == "\n" or not _is_refused(sign))
    return _strip(_GAPS.sub("\n\n", _limit_marks(unicodedata.normalize("NFC", visible))))


def _is_refused(sign: str) -> bool:
    """Whether a character is removed: controls, lone surrogates, direction marks."""
    return sign in _DIRECTION_MARKS or unicodedata.category(sign) in {"Cc", "Cs"}


def _limit_marks(text: str) -> str:
    """Return `text` with no more than MARKS combining marks in a row."""
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
    """Whether a character is invisible."""
    return sign in _EMPTY or unicodedata.category(sign) in _INVISIBLE


_HOST_LENGTH = 253  # characters (RFC 1035), and each takes at least one
_IPV4_PARTS = 4
_BYTE = 256
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))  # around an IPv4 address
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_DIGITS = {8: "01234567", 10: "0123456789", 16: "0123456789abcdef"}


def host_read(address: str) -> str:
    """Return the host of an address, a name in lower-case ASCII or an IP address; empty when no browser accepts it."""
    try:
        host = urlsplit(address).hostname or ""
        if ":" in host:  # urlsplit has taken the brackets away
            return str(IPv6Address(host)) if "%" not in host else ""
        name = normalize("NFKC", unquote(host, errors="strict"))
        if len(name) > _HOST_LENGTH or any(map(_is_ignored, name)):  # encoding takes quadratic time
            return ""
        name = name.encode("idna").decode().lower().rstrip(".")
        return str(_ipv4_read(name)) if _ends_in_number(name) else name
    except ValueError:
        return ""


def is_public(host: str) -> bool:
    """Whether a host from `host_read` is, as far as it says, on the internet and not in the viewer's own network."""
    if not host or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        found = ip_address(host)
    except ValueError:  # a name
        return True
    return all(each.is_global and not each.is_multicast for each in _meant(found))


def _is_ignored(sign: str) -> bool:
    """Whether browsers leave this sign out, or read another one for it that this Python does not know yet."""
    return category(sign).startswith("C") or sign in _FILLERS or any(ord(sign) in signs for signs in _SELECTORS)


def _meant(found: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the address, or the IPv4 address that an IPv6 address maps."""
    if isinstance(found, IPv4Address):
        return [found]
    inner = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
    if any(found in network for network in _TRANSLATED):
        inner.append(IPv4Address(int(found) & 0xFFFF_FFFF))
    return [each for each in inner if each is not None] or [found]


def _ends_in_number(name: str) -> bool:
    """Whether a browser takes the name for an IPv4 address."""
    last = name.rpartition(".")[2]
    return bool(last) and (last.isdigit() or (last.startswith("0x") and set(last[2:]) <= set(_DIGITS[16])))


def _ipv4_read(name: str) -> IPv4Address:
    """Return the address of up to four numbers, decimal, octal (0…) or hexadecimal (0x…); raises ValueError.

    The last number fills all bytes that are left.
    """
    parts = [_number(part) for part in name.split(".")]
    *first, last = parts
    if len(parts) > _IPV4_PARTS or any(part >= _BYTE for part in first):
        raise ValueError(name)
    if last >= _BYTE ** (_IPV4_PARTS - len(first)):
        raise ValueError(name)
    return IPv4Address(last + sum(part * _BYTE ** (_IPV4_PARTS - 1 - place) for place, part in enumerate(first)))


def _number(part: str) -> int:
    """Return a part of an IPv4 address; raises ValueError."""
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

SECURE_PICTURE = "A picture needs an https:// address of another site."  # where no static file of ours may be one


def validate_other_host(address: str) -> None:
    """Raise ValidationError for an https:// address of this site or of the viewer's own network, in any spelling."""
    if not address.startswith("https:"):
        return
    host = host_read(address)
    own = {host_read(settings.PUBLIC_URL), *(host_read(f"//{each}") for each in settings.ALLOWED_HOSTS)}
    if host in own or not is_public(host):
        raise ValidationError(_HOST_MESSAGE)


def is_picture_address(address: str) -> bool:
    """Whether an address may be a picture's."""
    try:
        for validate in picture_address:
            validate(address)
    except ValidationError:
        return False
    return True


def is_secure_picture_address(address: str) -> bool:
    """Whether an address may be that of a picture which somebody posts: on another site, over https."""
    return address.startswith("https:") and is_picture_address(address)


picture_address = (
    ProhibitNullCharactersValidator(_PICTURE_MESSAGE),  # patterns of PostgreSQL cannot contain NUL
    RegexValidator(PICTURE_ADDRESS.replace("$", r"\Z"), _PICTURE_MESSAGE),
    MaxLengthValidator(ADDRESS_LENGTH),
    validate_other_host,
)


# Points of Hebrew, vowel signs and the stretch of Arabic: readers leave them out, and so do people who type.
_UNWRITTEN = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
# One letter of German and the Nordic languages, as keyboards without it spell it; in this order.
DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
SIGNS = string.punctuation + " "
_NO_SIGNS = str.maketrans("", "", SIGNS)
_INVISIBLE_IN_NAMES = str.maketrans(
    "", "", "\u00ad\u200b\u2060\ufeff"
)  # joiners stay: Persian and Indic names need them
_ONE_WAY = str.maketrans("‐‑‒–’‘ʼ`´", "-" * 4 + "'" * 5)


def fold(text: str) -> str:
    """Return `text` in lower-case ASCII with single spaces, for searching and sorting."""
    return " ".join(ascii_text(text).lower().split())


def ascii_text(text: str) -> str:
    """Return `text` in ASCII, the same for composed and decomposed, full-width and plain letters.

    Invisible signs are dropped; those that have no picture become a space.
    """
    composed = unicodedata.normalize("NFKC", text)
    visible = (sign for sign in composed if unicodedata.category(sign) != "Cf")
    printable = "".join(sign if sign.isprintable() else " " for sign in visible)
    return anyascii(_UNWRITTEN.sub("", printable))


def name_clean(text: str) -> str:
    """Return a name as it is stored: without signs that take no room, with single spaces."""
    return " ".join(text.translate(_INVISIBLE_IN_NAMES).split())


def same_text(text: str) -> str:
    """Return what two names that read the same have in common: capitals, hyphens and invisible signs do not count."""
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFKC", text).translate(_ONE_WAY).casefold()
    return " ".join("".join(sign for sign in composed if unicodedata.category(sign) != "Cf").split())


def has_letter(text: str) -> bool:
    """Whether a text has a letter of any script."""
    return any(map(str.isalpha, text))


def name_key(folded: str) -> str:
    """Return a folded name as one word without hyphens, apostrophes and spaces, and with `DIGRAPHS` as one letter.

    "Seong-jin" and "Seongjin", "D'Arcy" and "Darcy", "Müller" and "Mueller" have one key; so have a few other names.
    """
    key = folded.translate(_NO_SIGNS)
    for pair, letter in DIGRAPHS:
        key = key.replace(pair, letter)
    return key


def search_texts(name: str) -> str:
    """Return what a browser searches a name in: folded, its keys with either end first, and as it is without spaces."""
    words = name.split()
    orders = (words, words[-1:] + words[:-1])
    keys = (name_key(fold("".join(order))) for order in orders)
    return " ".join(dict.fromkeys([fold(name), *keys, *("".join(order).lower() for order in orders)]))


def _capital(word: str) -> str:
    """Return the first capital of a word, or nothing for particles such as "van"."""
    return next((sign for sign in word if sign.isupper()), "")


def initials(name: str) -> str:
    """Return the one or two letters that stand for a person without a picture."""
    words = name.split()
    capitals = [capital for word in words if (capital := _capital(word))]
    if capitals:
        return "".join(capitals[:2])
    letter = next((sign for sign in name if sign.isalnum()), "")
    return letter.upper()[:1]


# Strangers choose the text, so each pattern runs in linear time: a look-behind prevents retries within a word, and
# possessive quantifiers (`*+`, `(?>`) prevent backtracking.
_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+'-])[A-Za-z0-9._%+'-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++")
_SIGN_IN_QUERY = re.compile(
    r"(?<![^\s?#\"'<>])"
    r"((?>[^\s?#\"'<>]*?/(?:login|register|forgot-password|reset-password|verify-email|reauthenticate|auth|accounts)\b)"
    r"[^\s?#\"'<>]*+)[?#][^\s\"'<>]*+"
)
_ROW = re.compile(r"(Failing row contains )\(.*?(?:\)\.(?=\s|['\"]|\\n|\Z)|\Z)", re.DOTALL)  # or a cut one
_ADDRESS_SIGNS = string.ascii_letters + string.digits + "._%+'-@\0"
_LONGEST_ADDRESS = 254  # characters (RFC 5321)


def cut(text: str, longest: int) -> str:
    """Return the first `longest` characters of `text`, with an ellipsis when it is cut.

    What may be the beginning of an e-mail address at the cut is removed, since `scrub` would not recognise it.
    """
    if len(text) <= longest:
        return text
    before = max(0, longest - _LONGEST_ADDRESS)
    return f"{text[:before]}{text[before:longest].rstrip(_ADDRESS_SIGNS)}…"


def scrub(text: str) -> str:
    """Return `text` without e-mail addresses (a short hash stands for each), queries of sign-in pages and rows.

    PostgreSQL's errors contain the refused row, hashed password included.
    """
    without_rows = _ROW.sub(r"\1(…).", _SIGN_IN_QUERY.sub(r"\1", storable(text)))
    return _EMAIL.sub(lambda found: f"[address {_hash(found[0])}]", without_rows)


def _hash(address: str) -> str:
    """Return eight signs that tell one address from another."""
    return sha256(address.lower().encode()).hexdigest()[:8]


# Signs that no address has: those of sentences in scripts without spaces, Arabic ones, and those that take no room. The
# full stop of Chinese divides the labels of a host as well.
_NEVER = "。，、；：！？（）「」『』【】〈〉《》〔〕｡､،؛؟\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_FOUND = re.compile(rf"(?<![A-Za-z0-9])[Hh][Tt][Tt][Pp][Ss]?://(?:[^\s<>\"`{{}}|\\^{_NEVER}]|[。｡](?=[A-Za-z0-9]))++")
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z]++)://(?P<host>[^/?#:]*+)(?P<port>:[0-9]{1,5}+)?+(?P<rest>(?:[/?#].*+)?+)", re.DOTALL
)
_HOST = re.compile(r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++\.?")
_SENTENCE_ENDS = frozenset(".,;:!?'*_~…’‘”“»«›‹।")  # after an address these end the sentence around it
_BRACKETS = {")": "(", "]": "["}  # these too, unless they were opened within the address


@dataclass(frozen=True, slots=True)
class LinkedText:
    """A piece of a text: plain, or with the `address` that it leads to."""

    text: str
    address: str = ""


def text_links(text: str) -> tuple[LinkedText, ...]:
    """Return `text` in pieces; together they say what it says, but for hosts that ASCII cannot write.

    Such a host, which may look like another one, is written in its ASCII form.
    """
    return tuple(_joined(_pieces(text)))


def links(text: str) -> int:
    """Return how many addresses a text has that one can follow."""
    return sum(bool(each.address) for each in text_links(text))


def link_of(address: str) -> LinkedText:
    """Return an address as it is shown and followed; a plain text unless it is http(s) and that of a host with a name.

    Its host is in ASCII, and nobody signs in by it.
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
    """Yield the pieces without empty ones, plain ones that follow each other as one."""
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
    """Return how many signs of an address are its own: not what ends the sentence or the brackets around it."""
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
    """Return the host as DNS knows it, an empty text where it is none; one in ASCII stays as it is written."""
    if len(host) > _HOST_LENGTH:  # reading such a name takes its length squared
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
    """Return the text as a cell has it that no spreadsheet computes."""
    return _UNGUARDED.sub(r"\1'\2", text)


def cell_unguard(text: str) -> str:
    """Return the text of such a cell; it undoes `cell_guard`."""
    return _GUARDED.sub(r"\1\2", text)
