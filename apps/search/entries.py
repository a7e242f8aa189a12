"""How a document is stored: its folded names, and the words that find it.

A lexeme begins with its kind and says whether it is a word of a name: "pa=jan" is a word of a participant's name, and
"pa~jan" a word of anything of that participant. So the index finds the hits of one kind, and the certain ones of it,
without reading the others.
"""

from apps.search.enums import Kind
from apps.search.limits import ENTRY_TITLE
from apps.search.registry import Document
from apps.search.words import lexemes_of, words_of

NAMED, ANYWHERE = "=", "~"
_VECTOR_BYTES = 900_000  # PostgreSQL's limit is a megabyte


def lexeme(kind: Kind, where: str, word: str) -> str:
    """Return how a folded word is stored, or the beginning of one."""
    return f"{kind.value[:2]}{where}{word}"


def names_folded(document: Document) -> str:
    """Return title and names as the column `folded` holds them; nothing of an untitled document."""
    names = () if document.is_untitled else (document.title, *document.names)
    lines = dict.fromkeys(" ".join(words_of(name)) for name in names)
    return "".join(f"| {line} " for line in lines if line) + "|"


def vector_of(kind: Kind, document: Document) -> str:
    """Return the words of a document as PostgreSQL reads a `tsvector`: those of names twice."""
    named = set() if document.is_untitled else lexemes_of(" ".join((document.title, *document.names)))
    others = lexemes_of(f"{document.title} {document.detail} {document.text}")
    lexemes = [lexeme(kind, NAMED, word) for word in named]
    lexemes += [lexeme(kind, ANYWHERE, word) for word in named | others]
    size, kept = 0, []
    for each in sorted(lexemes):
        size += len(each.encode()) + len("''")
        if size > _VECTOR_BYTES:
            break
        kept.append(f"'{each}'")
    return " ".join(kept)


def title_of(document: Document) -> str:
    """Return a document's title as it is stored."""
    return document.title[:ENTRY_TITLE]
