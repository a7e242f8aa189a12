"""Translations: gettext with an explicit language, never a global one."""

from functools import lru_cache

from django.utils.translation import trans_real


class Texts:
    """The texts of one language: call it with the English source text."""

    __slots__ = ("_catalogue", "language")

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogue = trans_real.translation(language)

    def __call__(self, message: str) -> str:
        """Return `message` in this language, or unchanged without a translation."""
        return self._catalogue.gettext(message) if message else ""

    def plural(self, singular: str, plural: str, n: int) -> str:
        """Return the plural form for `n`, with `%(n)d` filled in."""
        return self._catalogue.ngettext(singular, plural, n) % {"n": n}


@lru_cache(maxsize=64)
def texts(language: str) -> Texts:
    """Return the texts of `language`, such as "en"; English for an unknown language."""
    return Texts(language)
