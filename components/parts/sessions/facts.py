"""The piano of a performance, and the orchestra and the conductor of a session, in words."""

from collections.abc import Sequence
from typing import Protocol

from apps.competition.selectors.public.pianos import PianoCount
from apps.core.texts import Texts
from components.runtime import Markup, VdomDict, html
from components.ui.frames import unbroken_words
from components.ui.people import with_names

_VOWELS = "AEIOÀÁÂÄÅÆÈÉÊËÍÎÓÔÖØ"
# sources of gettext, from one on; more are digits
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Accompanied(Protocol):
    """A session with its orchestra and its conductor, both empty for a recital."""

    @property
    def orchestra(self) -> str:
        """The name of the orchestra."""

    @property
    def conductor(self) -> str:
        """The name of the conductor."""


def _name(name: str) -> VdomDict:
    return html.b({"translate": "no"}, *unbroken_words(name))


def piano_words(piano: str, t: Texts) -> list[Markup]:
    """Return "Piano Kitamori EX"; nothing if it is not known."""
    return with_names(t("Piano {piano}"), piano=_name(piano)) if piano else []


def plays_piano(piano: str, t: Texts) -> Markup:
    """Return "plays a Kitamori EX", with a space before it, for the row of a performer; None if it is not known."""
    if not piano:
        return None
    words = t("plays an {piano}") if piano[0].upper() in _VOWELS else t("plays a {piano}")
    name = html.span({"translate": "no"}, *unbroken_words(piano))
    return html.span({"class": "piano"}, " ", *with_names(words, piano=name))


def orchestra_words(session: Accompanied, t: Texts, *, opening: bool = False) -> list[Markup]:
    """Return the orchestra and the conductor: "Sinfonia Nadrzeczna, conducted by Jaromír Hlavsa"; nothing for neither.

    With `opening` it is a sentence of its own: "With the Sinfonia Nadrzeczna, conducted by Jaromír Hlavsa".
    """
    orchestra, conductor = session.orchestra, session.conductor
    if not orchestra:
        return with_names(t("Conducted by {name}"), name=_name(conductor)) if conductor else []
    has_article = not opening or orchestra.lower().startswith("the ")
    before = (t("With {orchestra}") if has_article else t("With the {orchestra}")) if opening else "{orchestra}"
    words = with_names(before, orchestra=_name(orchestra))
    return [*words, *with_names(t(", conducted by {name}"), name=_name(conductor))] if conductor else words


def orchestra_line(session: Accompanied, t: Texts, look: str) -> Markup:
    """Return the paragraph with the orchestra and the conductor; None for neither."""
    words = orchestra_words(session, t)
    return html.p({"class": look}, *words) if words else None


def with_line(piano: str, session: Accompanied, t: Texts) -> Markup:
    """Return the paragraph with the piano, and below it the orchestra and the conductor; None for none of them."""
    lines = [line for line in (piano_words(piano, t), orchestra_words(session, t)) if line]
    if not lines:
        return None
    between: list[Markup] = [html.br()] if len(lines) > 1 else []
    return html.p({"class": "with"}, *lines[0], *between, *(lines[1] if len(lines) > 1 else ()))


def pianos_counted(pianos: Sequence[PianoCount], t: Texts) -> Markup:
    """Return how many performances each piano has: "Pianos Sennewald 274 nine, Kitamori EX six"; None without any."""
    if not pianos:
        return None
    parts: list[Markup] = [t("Pianos") if len(pianos) > 1 else t("Piano")]
    for at, each in enumerate(pianos):
        parts += [", " if at else " ", _name(each.name), f" {_number(each.performances, t)}"]
    return html.p({"class": "with"}, *parts)


def _number(count: int, t: Texts) -> str:
    return t(_NUMBERS[count - 1]) if count <= len(_NUMBERS) else str(count)
