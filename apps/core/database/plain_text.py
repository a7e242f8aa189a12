"""Search in columns of text whatever the capitals and accents, composed or not."""

import re
import unicodedata

from django.db.models import CharField, Func

_STROKES = ("łđøħı", "ldohi")  # letters that Unicode does not take apart
_ACCENTS = re.compile("[\u0300-\u036f]")
_TABLE = str.maketrans(*_STROKES)


def plain(text: str) -> str:
    """Return `text` in small letters without accents; names of people are folded further (`fold`)."""
    return _ACCENTS.sub("", unicodedata.normalize("NFD", text.lower())).translate(_TABLE)


class Plain(Func):
    """What `plain` makes of a column."""

    template = (
        "translate(regexp_replace(normalize(lower(%(expressions)s), NFD), '[\u0300-\u036f]', '', 'g'),"
        f" '{_STROKES[0]}', '{_STROKES[1]}')"
    )
    output_field = CharField()
