"""Limits of the search."""

QUERY_LENGTH = 100  # characters that are searched for; the rest is cut
QUERY_WORDS = 10
QUERY_PARTS = 20  # folded words of a query; "a1b2" has four
WORD_LENGTH = 60  # characters of a folded word; the rest is cut
TOTAL_MOST = 100  # hits of a kind that are counted
HEAVIEST = 500  # entries of a kind, those of the highest weight, that are looked through before the index is asked
ENTRY_TITLE = 500  # characters of an entry's title
HIT_DETAIL = 160  # characters of a hit's second line, when it is an excerpt
EXCERPT_FROM = 20_000  # characters of a text in which an excerpt is looked for
SLIP_LENGTH = 4  # letters of the shortest word that is corrected
INFLECTED_LENGTH = 3  # letters of the shortest word that may be an inflected name
SAME_LETTERS = 2  # first letters that an inflected name shares with the name
NEAREST = 5  # names that one inflected word stands for
VOCABULARY = 20_000  # entries whose words are compared with a slip or an inflected name
SUGGESTED = 3  # hits of a kind while typing
HITS_SHOWN = 20  # hits of a kind on the page of results; all of one kind are TOTAL_MOST
ENTRIES_AT_ONCE = 10_000  # of one statement of a service, as many as an import has rows
ENTRIES_COMPARED = 1_000  # of one statement of a rebuild
