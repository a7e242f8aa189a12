"""The language of a name in another script, as far as its letters or the country tell."""

import unicodedata

# Languages (BCP 47) by the first word of a letter's Unicode name.
_OF_SCRIPTS = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
}
_OF_COUNTRIES = {  # of scripts that several languages have
    "CJK": {
        "China": "zh-Hans",
        "Singapore": "zh-Hans",
        "Malaysia": "zh-Hans",
        "Taiwan": "zh-Hant",
        "Hong Kong": "zh-Hant",
        "Macao": "zh-Hant",
        "Japan": "ja",
        "South Korea": "ko",
    },
    "CYRILLIC": {
        "Belarus": "be",
        "Bulgaria": "bg",
        "Kazakhstan": "kk",
        "Mongolia": "mn",
        "Russia": "ru",
        "Serbia": "sr",
        "Ukraine": "uk",
    },
}


def name_language(name: str, *, country: str) -> str:
    """Return the language (BCP 47) of a name of a person from `country`; empty if it is not known."""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    languages = {language for script, language in _OF_SCRIPTS.items() if script in scripts}
    languages = languages or {countries.get(country, "") for key, countries in _OF_COUNTRIES.items() if key in scripts}
    return languages.pop() if len(languages) == 1 else ""
