"""Tokens of a program line: titles, keys, opus and number, times, links, and the vocabulary behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from apps.imports.program_lines.catalogue import nickname_pattern

# All patterns match folded text. Each alternative has its own group; `key_name` evaluates the one that matched.
_MAJOR = "major|maj|majeur|maggiore|mayor|maior|dur"
_MINOR = "minor|min|mineur|minore|menor|moll|mol"
_RUSSIAN_MAJOR, _RUSSIAN_MINOR = "мажор[а-я]{0,2}|маж", "минор[а-я]{0,2}|мин"
_ASIAN_MAJOR = "大调|大調|長調|长调|장조|メジャー|메이저"
_ASIAN_MINOR = "小调|小調|短調|短调|단조|マイナー|마이너"
_GAP = "[ -]{0,3}"
_ACCIDENTAL = r"sharp|flat|\#|♯|♭|シャープ|フラット|샤프|플랫"
_GERMAN = "ces|cis|des|dis|eis|es|fes|fis|ges|gis|as|ais|bes|his"
_SYLLABLES = {"ut": "C", "do": "C", "re": "D", "mi": "E", "fa": "F", "sol": "G", "la": "A", "si": "B"}
_RAISED = r"diese|dieze|diesis|sostenido|sustenido|\#|♯"
_LOWERED = "bemolle|bemol|♭|b"
_RUSSIAN = {"до": "C", "ре": "D", "ми": "E", "фа": "F", "соль": "G", "ля": "A", "си": "B"}
_JAPANESE = dict(zip("ハニホヘトイロ", "CDEFGAB", strict=True))
_KEY_LETTERS = dict(zip("abcdefg", "ABCDEFG", strict=True))
_KOREAN = dict(zip("다라마바사가나", "CDEFGAB", strict=True))
_END = r"(?![a-z])"

KEY = rf"""
    (?<![a-z])(?P<german>{_GERMAN}){_GAP}(?P<german_mode>{_MAJOR}|{_MINOR}){_END}\.?
  | (?<![a-z])(?P<letter>[a-h])(?:{_GAP}(?P<accidental>{_ACCIDENTAL})|(?P<b>b))?{_GAP}
    (?:(?P<mode>{_MAJOR}|{_MINOR}){_END}\.?|(?P<asian_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR}))
  | (?<![a-z])(?P<syllable>ut|do|re|mi|fa|sol|la|si){_GAP}
    (?:(?P<raised>{_RAISED})|(?P<lowered>{_LOWERED}))?{_GAP}(?P<syllable_mode>{_MAJOR}|{_MINOR}){_END}\.?
  | (?<![а-я])(?P<russian>до|ре|ми|фа|соль|ля|си){_GAP}(?P<russian_sign>диез|бемоль|\#|♯|♭)?{_GAP}
    (?P<russian_mode>{_RUSSIAN_MAJOR}|{_RUSSIAN_MINOR})(?![а-я])\.?
  | (?P<prefixed_sign>[升嬰降変變♯\#♭]|올림|내림|(?<![a-z])b(?=[a-g]\ ?[大小長短长]))\ ?(?P<prefixed>[a-g])\ ?
    (?P<prefixed_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR})
  | (?P<kana_sign>[嬰変變])?(?P<kana>[ハニホヘトイロ])(?P<kana_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR})
  | (?P<hangul_sign>올림|내림)?\ ?(?P<hangul>[다라마바사가나])\ ?(?P<hangul_mode>장조|단조)
  | (?<![a-z])in\ (?P<bare>[a-g])(?:{_GAP}(?P<bare_sign>{_ACCIDENTAL})|(?P<bare_b>b))(?=\s*(?:[,;(]|$|op|-|no))
"""
_IS_MAJOR = re.compile(f"{_MAJOR}|{_ASIAN_MAJOR}|{_RUSSIAN_MAJOR}")
_SHARP = frozenset({"sharp", "#", "♯", "シャープ", "샤프", "升", "嬰", "올림", "диез", "diese", "dieze", "diesis"})
_SHARP |= {"sostenido", "sustenido"}


def key_name(found: re.Match[str]) -> str:
    """Return the key that `KEY` matched, such as "C-sharp minor"; without a mode if the text has none."""
    part = found.groupdict()
    if part["letter"]:
        return _lettered(part)
    if part["german"]:
        letter, sign = _german(part["german"])
        return _named(letter, sign, part["german_mode"])
    if part["syllable"]:
        return _named(_SYLLABLES[part["syllable"]], part["raised"] or part["lowered"] or "", part["syllable_mode"])
    for letters, written in (
        (_RUSSIAN, "russian"),
        (_JAPANESE, "kana"),
        (_KOREAN, "hangul"),
        (_KEY_LETTERS, "prefixed"),
    ):
        if part[written]:
            return _named(letters[part[written]], part[f"{written}_sign"] or "", part[f"{written}_mode"])
    return _named(part["bare"].upper(), part["bare_sign"] or part["bare_b"], "")


def fits(key: str, written: str) -> bool:
    """Whether a piece in `key` may be called by the `written` key, which may lack a mode."""
    return key == written or key.rpartition(" ")[0] == written


def _lettered(part: dict[str, str | None]) -> str:
    """Return the key of a letter: H is always B natural; a bare B with Dur or moll is B flat."""
    letter, sign = str(part["letter"]), part["accidental"] or part["b"] or ""
    mode = part["mode"] or part["asian_mode"] or ""
    if letter == "h":
        return _named("B", sign, mode)
    if letter == "b" and not sign and mode in {"dur", "moll", "mol"}:
        return _named("B", "flat", mode)
    return _named(letter.upper(), sign, mode)


def _german(name: str) -> tuple[str, str]:
    """Return the letter and the sign of a German name: "es" is E flat, "cis" is C sharp, "bes" B flat."""
    letter = "B" if name == "his" else name[0].upper()
    return letter, "sharp" if name.endswith("is") else "flat"


def _named(letter: str, sign: str, mode: str) -> str:
    accidental = "" if not sign else "-sharp" if sign in _SHARP else "-flat"
    if not mode:
        return f"{letter}{accidental}"
    return f"{letter}{accidental} {'major' if _IS_MAJOR.fullmatch(mode) else 'minor'}"


# Title name, then its words as folded text; the words after the bar are plurals.
_TITLES = {
    "etude": "etude etiuda etiude etuede study studium estudio studio etyd エチュード 練習曲 练习曲 연습곡 에튀드"
    " этюд этюда етюд etud | etudes etuden etiudy etiud etueden studies estudios studi studien этюды этюдов етюди"
    " etudy etuder etyder",
    "nocturne": "nocturne nokturn notturno nocturno ノクターン ノクチュルヌ 夜想曲 夜曲 녹턴 야상곡 ноктюрн ноктюрна"
    " nokturno nokturna noktuerne | nocturnes nocturnen nokturny nokturnow notturni nocturnos ноктюрны ноктюрнов"
    " ноктюрни nocturner nokturnen",
    "scherzo": "scherzo スケルツォ スケルツオ 谐谑曲 諧謔曲 詼諧曲 诙谐曲 스케르초 скерцо skerzo | scherzos scherzi"
    " scherza",
    "mazurka": "mazurka mazurek mazurke mazurca マズルカ 玛祖卡舞曲 玛祖卡 瑪祖卡 马祖卡 馬祖卡 玛兹卡 마주르카"
    " мазурка мазурку mazurku | mazurkas mazurki mazurkow mazurken mazurkes mazurcas mazurche мазурки мазурок"
    " mazurky mazurkor mazurkaer",
    "nouvelle etude": "新練習曲 新しい練習曲 | nouvelles",
    "ballade": "ballade ballada ballad balada バラード 叙事曲 敘事曲 발라드 баллада балада | ballades balladen"
    " ballady ballads баллады",
    "polonaise": "polonaise polonez ポロネーズ 波兰舞曲 波蘭舞曲 波洛奈兹 폴로네즈 полонез | polonaises polonaisen"
    " polonezy полонезы",
    "sonata": "sonata sonate ソナタ 奏鸣曲 奏鳴曲 소나타 соната | sonatas sonaten sonaty sonates сонаты",
    "waltz": "waltz walc walzer valse vals valzer ワルツ 圆舞曲 圓舞曲 왈츠 вальс valcik | waltzes walce valses вальсы",
    "prelude": "prelude preludium preludio praludium prelud プレリュード 前奏曲 전주곡 프렐류드 прелюдия прелюд |"
    " preludes preludia preludien прелюдии прелюды",
    "barcarolle": "barcarolle barkarola barcarola 舟歌 バルカローレ 船歌 뱃노래 바르카롤 баркарола |",
    "fantasy": "fantasy fantaisie fantasie fantazja fantasia 幻想曲 환상곡 фантазия |",
    "impromptu": "impromptu improvviso 即興曲 即兴曲 즉흥곡 экспромт | impromptus экспромты",
    "berceuse": "berceuse kolysanka 子守歌 摇篮曲 搖籃曲 자장가 колыбельная |",
    "rondo": "rondo rondeau ロンド 回旋曲 론도 рондо | rondos",
    "variations": "variation wariacja 変奏曲 变奏曲 變奏曲 변주곡 | variations variationen wariacje вариации",
    "concerto": "concerto konzert koncert concierto 協奏曲 协奏曲 협주곡 концерт | concertos koncerty концерты",
    "andante spianato": "spianato |",
    "tarantella": "tarantella tarantelle tarantela タランテラ тарантелла |",
    "bolero": "bolero ボレロ болеро |",
    "ecossaise": "ecossaise экосез | ecossaises экосезы",
    "fugue": "fugue fuga фуга |",
    "contredanse": "contredanse |",
}
TITLES = {word: name for name, words in _TITLES.items() for word in words.replace("|", " ").split()}
PLURALS = frozenset(word for words in _TITLES.values() for word in words.partition("|")[2].split())

# Composers of studies, nocturnes and mazurkas outside this catalogue.
OTHER_COMPOSERS = frozenset(
    "bach beethoven brahms debussy dobrzynski faure field godowsky grieg kurpinski leschetizky liszt lyadov maliszewski"
    " mendelssohn moszkowski moscheles mozart oginski paderewski prokofiev ravel rachmaninoff rachmaninov rubinstein"
    " schubert schumann scriabin skrjabin skriabin stravinsky szymanowska szymanowski tausig tchaikovsky thalberg"
    " リスト ドビュッシー スクリャービン ラフマニノフ シマノフスキ シューマン"
    " 李斯特 德彪西 斯克里亚宾 拉赫玛尼诺夫 리스트 드뷔시"
    " 스크랴빈 라흐마니노프".split()
)

# Words of tempo, beside a title or on a movement's own line.
_TEMPI = (
    "allegro allegretto andante andantino largo larghetto presto prestissimo vivace vivo lento moderato adagio maestoso"
    " agitato animato sostenuto cantabile leggiero grave fuoco brio con molto assai poco piu non troppo tanto quasi"
)

# A line of only these words, digits, names of days and punctuation is a heading and names no piece.
HEADINGS = frozenset(
    "stage etap stufe runde round rounds prelim preliminary preliminaries eliminacje wstepne final finals finale"
    " semifinal semifinals session sesja sitzung morning evening afternoon opening closing poranna wieczorna program"
    " programme programm programs repertoire repertuar recital pianist pianista participant uczestnik uczestniczka"
    " contestant competitor monday tuesday wednesday thursday friday saturday sunday january february march april"
    " may june july august september october november december intermission interval pause przerwa プログラム 予選"
    " 曲目 演奏曲目 课題曲 課題曲 曲目表 节目单 節目單 曲目单 프로그램 연주곡 i ii iii iv v the of and"
    " encore encores bis zugabe zugaben rappel アンコール 安可 앙코르 entracte antrakt 休憩 休息 中场休息 휴식"
    " программа этап тур раунд финал перерыв антракт бис первый второй третий".split()
)

# A line that begins with one of these is a heading, even if it contains a name.
OPENING_WORDS = frozenset(
    "stage etap stufe runde round prelim preliminary preliminaries eliminacje session sesja program programme programm"
    " recital participant uczestnik uczestniczka contestant competitor intermission interval pause przerwa"
    " программа этап тур".split()
)

# With one of these words a line is ambiguous: it offers alternatives.
OPEN_WORDS = frozenset("or oder lub albo ou oppure eller или".split())

# These words exclude the pieces that follow, or without any those before: "without No. 3", "(No. 3 omitted)".
EXCLUDING_WORDS = frozenset(
    "without except excepting excluding excluded omitting omitted omits but not minus skipping skipped ohne ausser"
    " ausgenommen weggelassen nicht bez oprocz pominieto pominiety wyjatkiem sans sauf hormis excepte omis senza"
    " eccetto tranne sin excepto salvo sem zonder behalve utan utom uden undtagen uten без кроме исключением"
    " l'exception 除く 除外 以外 除 抜き 제외 빼고 없이".split()
)

# Between two numbers: all from the first to the second.
RANGE_WORDS = frozenset("- ~ .. ... to through thru till until bis do az tot til al a до по から 到 至 부터".split())

ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
KANJI = {sign: number for number, sign in enumerate("一二三四五六七八九十", start=1)}
COUNTS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "twelve": 12,
    "dwa": 2,
    "dwie": 2,
    "trzy": 3,
    "cztery": 4,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "deux": 2,
    "trois": 3,
    "quatre": 4,
    "два": 2,
    "две": 2,
    "три": 3,
    "четыре": 4,
    "両": 2,
    "두": 2,
    "세": 3,
    "네": 4,
}

# Spellings of this catalogue's composer.
COMPOSER = frozenset(
    "chopin chopin's chopina chopins szopen szopena шопен шопена שופן شوبان ショパン 肖邦 蕭邦 萧邦 쇼팽".split()
)

# Words beside a title that do not help to identify the piece.
SILENT = COMPOSER.union(
    _TEMPI.split(),
    "f fr fryderyk fryderyka frederic frederick franciszek фредерик ф フレデリック for piano solo in na fortepian fur"
    " klavier pour le la les der die das a an or oder lub ou w z для фортепиано в 作曲 の より 的".split(),
)


class Kind(Enum):
    """The kind of a token."""

    TITLE = auto()
    COUNT = auto()  # number of pieces: "4 Mazurken"
    OPUS = auto()
    POSTHUMOUS = auto()
    NUMBER = auto()
    KEY = auto()
    NICKNAME = auto()
    OTHER_COMPOSER = auto()
    TIME = auto()
    URL = auto()
    BREAK = auto()  # separates two pieces on one line
    INTEGER = auto()
    WORD = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its position in the folded line; `value` is a name, or a number in digits."""

    kind: Kind
    value: str
    start: int
    end: int
    is_plural: bool = False
    is_aside: bool = False  # in parentheses or brackets


LARGEST = 60  # largest number of a piece; larger integers are years and the like
_POSTHUMOUS = (
    r"posth(?:umous|ume|umus)?|postum[a-z]{0,3}|posm(?:iertn[a-z]{1,3})?|oeuvre\ posthume|посмертн[а-я]{1,3}"
    r"|遺作|遗作|유작"
)
_OPUS = (
    r"(?<![a-z])(?:opp?\.?|opus|opera|oeuvre|dzielo)|(?<![а-я])(?:соч(?:инение)?|оп(?:ус)?)"
    r"|作品番号|作品號|作品号|作品|작품번호|작품"
)
_NUMBER = (
    r"(?<![a-z])(?:nos?|nono|nrs?n?|nn|n\.\s?os|num|numer[iyn]?|nummern?|numeros?|numbers?|nros?)[ .:]{0,3}"
    r"|(?<![a-z])n[ .°º]{1,2}|(?<![а-я])номера?\s?"
)
_ASIAN_NUMBER = r"\#\s?|第|之|[の의]\s?第?|제\s?"
_FIGURE = "[0-9]{1,3}|[一二三四五六七八九十]{1,3}"
_DATE = r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:18|19|20)\d\d|(?:1[6-9]|20)\d\d"
_MINUTES = r"""'(?:\s?\d{1,2}\s?(?:"|'')?)?(?![a-z])|min(?:ut[a-z]{0,3})?\b\.?|分(?:\d{1,2}秒)?"""
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # letters of scripts without spaces between words
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W\d_])+"
_PATTERN = re.compile(
    rf"""
    (?P<url>(?:https?://|www\.|(?:[a-z]+\.)?youtu(?:be(?:-nocookie)?\.com|\.be)/)[^\s<>"'()]+)
  | (?P<date>(?<!\d)(?:{_DATE})(?!\d))
  | (?P<time>(?<![\d:])\d{{1,2}}:\d\d(?::\d\d)?(?![\d:]))
  | (?P<duration>(?<!\d)\d{{1,3}}\s?(?:{_MINUTES}))
  | (?P<opus>(?:{_OPUS})[ .:]{{0,3}}(?:(?:{_POSTHUMOUS})\.?\s?)?(?P<opus_value>\d{{1,3}})(?!\d))
  | (?P<posthumous>(?:(?<![a-z])(?:opp?\.?|opus)\s?)?(?<![a-z])(?:{_POSTHUMOUS})(?![a-z])\.?)
  | (?P<late>(?<![a-z])op\.?\s?post(?![a-z])\.?)
  | (?P<brown>(?<![a-z])(?:bi|b\.|brown(?:-index)?)[ .]{{0,2}}(?P<brown_value>\d{{1,3}})(?!\d))
  | (?P<number>(?:{_NUMBER}|{_ASIAN_NUMBER})(?P<number_value>{_FIGURE})(?!\d|\s?[次回轮輪日部位])(?:\s?[番号首號曲번])?)
  | (?P<ordinal>(?P<ordinal_value>\d{{1,2}})\s?번)
  | (?P<key>{KEY})
  | (?P<count>(?<!\d)(?P<count_value>\d{{1,2}}|[一二三四五六七八九十両兩两])\s?(?:つの|首|개의|곡의|曲の))
  | (?P<integer>\d{{1,6}})
  | (?P<asian>[{_UNSPACED}]+)
  | (?P<word>{_LETTERS}(?:'{_LETTERS})?)
  | (?P<sign>\.{{2,3}}|\S)
    """,
    re.VERBOSE,
)
_KINDS = {
    "url": Kind.URL,
    "time": Kind.TIME,
    "date": Kind.WORD,
    "duration": Kind.WORD,
    "opus": Kind.OPUS,
    "brown": Kind.OPUS,
    "posthumous": Kind.POSTHUMOUS,
    "late": Kind.POSTHUMOUS,
    "number": Kind.NUMBER,
    "ordinal": Kind.NUMBER,
    "count": Kind.COUNT,
    "integer": Kind.INTEGER,
}
_KNOWN = {*TITLES, *OTHER_COMPOSERS, *HEADINGS, *SILENT, *EXCLUDING_WORDS, *RANGE_WORDS}
_ASIAN_WORDS = tuple(
    sorted(
        (word for word in _KNOWN if not word.isascii()),
        key=len,
        reverse=True,
    )
)
_BREAKS = frozenset(", ; & + / and und et i y e oraz и en och og ve と 及 和 및 와 과".split())
OPENING, CLOSING = frozenset("([{【（"), frozenset(")]}】）")


def tokens_of(folded: str) -> list[Token]:
    """Return the tokens of a folded line. Linear in its length."""
    found, aside = [], 0
    for token in _tokens(folded):
        if token.value in OPENING:
            aside += 1
        elif token.value in CLOSING:
            aside = max(0, aside - 1)
        placed = (token.value, token.start, token.end, token.is_plural)
        found.append(Token(token.kind, *placed, is_aside=True) if aside else token)
    return found


def _tokens(folded: str) -> Iterator[Token]:
    position = 0
    while position < len(folded):
        if folded[position] == " ":
            position += 1
            continue
        nickname = nickname_pattern().match(folded, position)
        token = Token(Kind.NICKNAME, nickname[0].replace("-", " "), position, nickname.end()) if nickname else None
        token = token or _token(folded, position)
        yield token
        position = token.end


def _token(folded: str, position: int) -> Token:
    """Return the token at a position that is not a blank."""
    found = _PATTERN.match(folded, position)
    if found is None:
        return Token(Kind.SIGN, folded[position], position, position + 1)
    part, end = found.groupdict(), found.end()
    if part["key"]:
        return Token(Kind.KEY, key_name(found), position, end)
    if part["word"]:
        return _word(found[0], position)
    if part["asian"]:
        return _asian_word(folded, position, end)
    for group, kind in _KINDS.items():
        if part[group]:
            value = _digits(part.get(f"{group}_value") or found[0])
            return Token(kind, f"BI {value}" if group == "brown" else value, position, end)
    return Token(Kind.BREAK if found[0] in _BREAKS else Kind.SIGN, found[0], position, end)


def _word(word: str, position: int) -> Token:
    end = position + len(word)
    if word in TITLES:
        return Token(Kind.TITLE, TITLES[word], position, end, is_plural=word in PLURALS)
    if word in OTHER_COMPOSERS:
        return Token(Kind.OTHER_COMPOSER, word, position, end)
    if word in COUNTS:
        return Token(Kind.COUNT, str(COUNTS[word]), position, end)
    return Token(Kind.BREAK if word in _BREAKS else Kind.WORD, word, position, end)


def _asian_word(folded: str, position: int, end: int) -> Token:
    """Return the longest known word at a position, else the single sign: these scripts have no blanks between words."""
    word = next((word for word in _ASIAN_WORDS if folded.startswith(word, position, end)), "")
    if word in TITLES:
        return Token(Kind.TITLE, TITLES[word], position, position + len(word))
    if word:
        return Token(
            Kind.OTHER_COMPOSER if word in OTHER_COMPOSERS else Kind.WORD, word, position, position + len(word)
        )
    sign = folded[position]
    return Token(Kind.BREAK if sign in _BREAKS else Kind.WORD, sign, position, position + 1)


def _digits(written: str) -> str:
    """Return a number in digits; other text unchanged."""
    if not written or written[0] not in "一二三四五六七八九十両兩两":
        return written if not written.isdigit() else str(int(written))
    if written in {"両", "兩", "两"}:
        return "2"
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return str(KANJI.get(written[0], 0))
    return str(KANJI.get(tens, 1) * 10 + KANJI.get(ones, 0))
