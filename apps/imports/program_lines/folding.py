"""Folded text: what is compared and parsed has no case, no accents on Latin letters and one kind of each sign."""

import unicodedata

_LATIN_ENDS = 0x250  # the end of the Latin letters in Unicode's first blocks
_LATIN_MORE = range(0x1E00, 0x1F00)
_ACCENTS = range(0x300, 0x370)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),  # hyphens and dashes
        **dict.fromkeys("\u30fb\u00b7\u2022\u25cf\u25e6\u25aa\u25ab\u2023", "-"),  # bullets
        **dict.fromkeys("’‘‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»「」『』《》", '"'),
        "ł": "l",
        "đ": "d",
        "ø": "o",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        "ё": "е",
        "、": ",",
        "。": ".",
        "〜": "~",
    }
)


def fold_line(text: str) -> str:
    """Return `text` in lower case with single blanks, without accents on Latin letters and invisible characters.

    Compatibility forms are normalised: № becomes "no", full-width digits become digits; each dash and bullet becomes
    "-".
    """
    signs = []
    for sign in unicodedata.normalize("NFKC", text).casefold():
        category = unicodedata.category(sign)
        if category == "Cf" or ord(sign) in _ACCENTS:
            continue
        if category[0] in "ZC":
            signs.append(" ")
        elif ord(sign) < _LATIN_ENDS or ord(sign) in _LATIN_MORE:
            signs.append(_bare(sign))
        else:
            signs.append(sign)
    return " ".join("".join(signs).translate(_PLAIN).split())


def _bare(letter: str) -> str:
    """Return a Latin letter without its accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", letter) if ord(sign) not in _ACCENTS)
