"""Every regular expression of the project reads 64 KB of its worst input quickly, and none is missing from the table.

A pattern with backtracking from each position would block the event loop for seconds or hours.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import product
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import DecimalField
from django.forms import BaseForm

from apps.accounts import session_store
from apps.accounts.validators import USERNAME
from apps.community import mentions, report_address
from apps.competition import piano_names, searchable, youtube
from apps.competition.models import VIDEO_ID
from apps.competition.selectors.admin import order_lines, works_typed
from apps.competition.selectors.public import participants
from apps.core import commands, moderation, people, text_rules
from apps.core.bus.topics import TOPIC
from apps.core.database import fields
from apps.imports.program_lines import blocks, damage, lines, matching, movements, names, tokens
from apps.imports.tables import encodings, headers, texts, workbook_program
from apps.ratings.management.commands import ratings
from apps.search import marks as search_marks
from components import routes
from components.pages.account import profile as profile_page
from components.pages.account import sign_in
from components.pages.public import ranking_method
from components.runtime.rendering import html_names
from components.ui import frames, pieces
from project import visit
from project.config import ROOT
from project.http import wishes
from project.observability import logs
from project.process import frames as process_frames
from project.sockets import page_socket
from tests.offenders import check_each
from tests.project.security.bounded_work import LENGTH, repeated, work_bounded

FUNCTIONS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}

# What a module with a pattern, or with an import of patterns by another name, contains.
WRITTEN = re.compile(r"\bre\b|[Rr]egex|re_path|pattern|fnmatch")
CELLS = ("'", "'a", "''=", ";", "\t", ' "', "; '", ";'=", "\n\t")

# By place of definition: how the pattern is used, and the texts that are its worst input when repeated.
PATTERNS: dict[str, list[tuple[Callable[[Any], Any], tuple[str, ...]]]] = {
    "apps/accounts/session_store.py:_first": [
        (re.compile(known).search, ("Edg", "Edg/x ", "iPhone_", "Opera", " "))
        for _, known in (*session_store._BROWSERS, *session_store._SYSTEMS)
    ],
    "apps/accounts/models.py:SiteContact": [
        (re.compile(r"^\S([^\n]*\S)?$").search, (" ", "a ", "a", "a\n")),
        (re.compile(r"^[^@\s]+@[^@\s]+$").search, ("a", "@", "a@")),
    ],
    "apps/accounts/models.py:OneTimeLink": [(re.compile(r"^/([^/\\]|$)").search, ("/", "/a", "//", "/\\"))],
    "apps/accounts/models.py:User": [
        (re.compile(USERNAME).search, ("a", "a-")),
        (re.compile(r"^[^@\s]+@[^@\s]+$").search, ("a", "@", "a@")),
    ],
    "apps/community/mentions.py:_MENTION": [
        (mentions._MENTION.findall, ("@", "@a", "@ab-", "@abc ", "a@abc")),
        (mentions.segments, ("https://", "https://a.b ", "@abc ", ")", "https://a.b/)", "https://\u0142.", ".", "[")),
    ],
    **{
        f"apps/competition/models/programs.py:{model}": [
            (re.compile(text_rules.SECURE_ADDRESS).search, ("https://", "https://a/", "a/?#"))
        ]
        for model in ("Piece", "ProgramEntry", "ProgramPart")
    },
    "apps/competition/composer_names.py:_words": [(re.compile(r"[a-z0-9]+").findall, ("a", "a "))],
    "apps/competition/models/programs.py:PiecePart": [(re.compile(r"^\S(.*\S)?$").search, (" ", "a ", "a", "a\n"))],
    "apps/competition/piano_names.py:_DIVIDED": [(piano_names._DIVIDED.split, (" ", ",", " ,", "a"))],
    "apps/competition/selectors/admin/works_typed.py:_NUMBER": [(works_typed._NUMBER.fullmatch, ("op", "no. 1", "1"))],
    "apps/competition/selectors/admin/works_typed.py:_OPUS": [(works_typed._OPUS.match, ("op", " "))],
    "apps/competition/selectors/admin/works_typed.py:_WORDS": [
        (works_typed._WORDS.findall, ("op", "op ", "no.", "nos. 1", "a", " ", ",", "1-"))
    ],
    "apps/competition/selectors/admin/works_typed.py:_pattern": [
        (works_typed._pattern("op. 28").search, ("op. 2", "op. 28a", "o")),
        (works_typed._pattern("ballade").search, ("ballad", "ballades", "b")),
    ],
    "apps/competition/selectors/admin/works_typed.py:_terms": [(re.compile(r"[;\n]").split, (";", "\n", "a"))],
    "apps/competition/selectors/public/pieces.py:_place": [(re.compile(r"[0-9]{1,4}").match, ("1", "a"))],
    "apps/competition/services/pieces.py:minutes_read": [
        (re.compile(r"[0-9]{1,3}([.,][0-9])?").fullmatch, ("1", "1.", "1,1"))
    ],
    "apps/imports/program_lines/names.py:_SIGNS": [(names._SIGNS.split, ("-", "'", "a'", "' ", "(a)"))],
    "apps/imports/program_lines/names.py:_OTHER_NUMBER": [(names._OTHER_NUMBER.match, ("BI ", "1", "1/1", "1/1 in"))],
    "apps/imports/program_lines/names.py:name_pattern": [
        (names.name_pattern().search, ("winter", "winter ", "winter-win", "na czarnych ", "lento con ", "이별의", "e"))
    ],
    "apps/competition/selectors/admin/order_lines.py:_NUMBER": [
        (order_lines._NUMBER.fullmatch, ("1", " ", "No.", "no. 1 ", "1.)", "#1 ", "12 a"))
    ],
    "apps/competition/models/sessions.py:Session": [(re.compile(VIDEO_ID).search, ("a", "-"))],
    "apps/competition/selectors/public/participants.py:_WORD": [
        (participants._WORD.findall, ("a", "a-", "a'", "-", "a ", ".", " "))
    ],
    "apps/competition/searchable.py:_KEY": [(searchable._KEY.fullmatch, ("A", "A-sharp ", "A-"))],
    "apps/competition/searchable.py:_NUMBERED": [(searchable._NUMBERED.match, ("1", "posth", "p"))],
    "apps/competition/youtube.py:_ID": [(youtube._ID.fullmatch, ("a", "-_"))],
    "apps/competition/selectors/public/participants.py:_UNSPACED": [
        (participants._UNSPACED.findall, ("\u674e", "a", "\uac00 "))
    ],
    "apps/competition/youtube.py:_mended": [(re.compile("[?&#]").split, ("?", "a&", "#a"))],
    "apps/core/database/fields.py:_ACCENTS": [(fields._ACCENTS.findall, ("\u0301", "a\u0301", "a"))],
    "apps/core/people.py:_WORD": [(people._WORD.findall, ("a", "a ", " ", "-"))],
    "apps/core/text_rules.py:_UNWRITTEN": [(text_rules._UNWRITTEN.findall, ("\u05b0", "a", "\u064b "))],
    "apps/imports/tables/encodings.py:_COLUMNS": [
        (lambda text: encodings._COLUMNS.findall(text.encode()), ("|", "a", "a|"))
    ],
    "apps/imports/tables/headers.py:_ERROR": [(headers._ERROR.fullmatch, ("#", "#N/A", "A", "#A/0", "Err:", "1"))],
    "apps/imports/tables/texts.py:_OWN_DELIMITER": [
        (texts._OWN_DELIMITER.fullmatch, ("sep=", "sep=;", ";", '"sep=;" ', " "))
    ],
    "apps/imports/tables/workbook_program.py:_NO_PATTERN": [
        (workbook_program._is_date, ('"', "[", "_", "\\", '"a', "[h]", "0;"))
    ],
    "apps/imports/tables/workbook_program.py:_ADDRESS": [(workbook_program._ADDRESS.fullmatch, ("A", "A1", "1"))],
    "apps/imports/program_lines/blocks.py:_BEFORE_NAME": [
        (blocks._BEFORE_NAME.match, ("1", " ", "No.", "no. 1 ", "n", "# 12) "))
    ],
    "apps/imports/program_lines/blocks.py:_NUMBERED": [
        (blocks._NUMBERED.fullmatch, ("1", "1 a", "no. 1", "1. a", "#", "1.) a", "no no", "a"))
    ],
    "apps/imports/program_lines/blocks.py:_WORD": [(blocks._WORD.findall, ("a", "a ", " ", "1"))],
    "apps/imports/program_lines/damage.py:_SIGN": [(damage._SIGN.search, ("&", "&a", "&#", "=", "=A", "a;"))],
    "apps/imports/program_lines/damage.py:_ADDRESS": [(damage._ADDRESS.search, (":", ":/", "www", "yout", "w"))],
    "apps/imports/program_lines/damage.py:_CUT": [(damage._CUT.search, ("1", "1 ", "1.", "1..", "1\u2026", "."))],
    "apps/imports/program_lines/movements.py:_CLOCK": [(movements._CLOCK.search, ("1", "1:", "(1:1", "1:11", "1:11:"))],
    "apps/imports/program_lines/movements.py:_NUMERAL": [(movements._NUMERAL.match, (".", " ", "i", "i ", "1", "vi"))],
    "apps/imports/program_lines/movements.py:_IN_WORDS": [(movements._IN_WORDS.search, ("a", "5", "第"))],
    "apps/imports/program_lines/matching.py:_WORD": [(matching._WORD.findall, ("a", "1", "a ", "_"))],
    "apps/competition/youtube.py:_HOST": [(youtube._HOST.fullmatch, ("a", "youtube.com", "a.youtube"))],
    "apps/competition/youtube.py:_SHORT_HOST": [(youtube._SHORT_HOST.fullmatch, ("www.", "youtu.be"))],
    "apps/competition/youtube.py:_UNITS": [(youtube._UNITS.fullmatch, ("1", "1h", "1m", "1s"))],
    "apps/competition/youtube.py:_CLOCK": [(youtube._CLOCK.fullmatch, ("1", "1:", "11:11"))],
    "apps/competition/youtube.py:_ENTITY": [(youtube._ENTITY.findall, ("&", "&#", "&amp", "&amp;"))],
    "apps/competition/youtube.py:_SOURCE": [
        (youtube._SOURCE.findall, ("src", "src ", " ", "src=", "href = '", "src=a", "src =\n"))
    ],
    "apps/competition/youtube.py:_WEB": [(youtube._WEB.match, ("/", "http:", "https://"))],
    "apps/core/bus/topics.py:TOPIC": [(TOPIC.fullmatch, ("a", "a.", "a.1", "1."))],
    "apps/core/database/fields.py:is_not_blank": [(re.compile(r"^\S(.*\S)?$").search, (" ", "a ", "a", "a\n"))],
    "apps/core/database/fields.py:is_picture": [
        (re.compile(text_rules.PICTURE_ADDRESS).search, ("/", "https://", "https://a/", "a/?#"))
    ],
    "apps/core/database/fields.py:is_secure_picture": [
        (re.compile(text_rules.SECURE_ADDRESS).search, ("https://", "https://a/", "a/?#"))
    ],
    "apps/core/text_rules.py:_EMAIL": [
        (text_rules._EMAIL.findall, ("a", "a@", "a@a", "a" * 64 + "@", "@" + "a" * 63, "a@a.", "a."))
    ],
    "apps/core/text_rules.py:_SIGN_IN_QUERY": [
        (text_rules._SIGN_IN_QUERY.findall, ("/login", "/", "a", "/auth/", "/login?", "#?"))
    ],
    "apps/core/text_rules.py:_SECRET_ADDRESS": [
        (text_rules._SECRET_ADDRESS.findall, ("/calendars/", "/", "/calendars/ ", "a"))
    ],
    "apps/core/text_rules.py:_ROW": [
        (
            text_rules._ROW.findall,
            ("Failing row contains (", "Failing row contains (a).", ").", "Failing row contains ("),
        )
    ],
    "apps/core/text_rules.py:picture_address": [
        (re.compile(text_rules.PICTURE_ADDRESS.replace("$", r"\Z")).search, ("/", "https://", "https://a/", "a/?#"))
    ],
    "apps/core/text_rules.py:_BREAKS": [(text_rules._BREAKS.findall, ("\r", "\n", "\r\n", "\v"))],
    "apps/core/text_rules.py:_GAPS": [(text_rules._GAPS.findall, ("\n", "\n ", " ", "\n\n a", "\n" + " " * 99))],
    "apps/core/text_rules.py:_FOUND": [
        (text_rules._FOUND.findall, ("https://", "http", "https://a ")),
        (text_rules.text_links, ("https://", "https://a.b ", ")", "https://a.b/)", "https://\u0142.", ".", "[")),
    ],
    "apps/core/text_rules.py:_PARTS": [(text_rules._PARTS.fullmatch, ("a", "https://", "http://a:1", ":1", "/?"))],
    "apps/core/text_rules.py:_HOST": [(text_rules._HOST.fullmatch, ("a", "a.", "-", "."))],
    "apps/ratings/management/commands/ratings.py:_RATING": [(ratings._RATING.fullmatch, ("piece-", "piece-1", "1"))],
    "apps/search/marks.py:_WORD": [(search_marks._WORD.findall, ("a", " ", "a "))],
    "components/pages/account/screen.py:username": [(re.compile(USERNAME).search, ("a", "a-"))],
    "components/pages/account/profile.py:SECURE": [(profile_page.SECURE.match, ("https://", "https://a/", "a/?#"))],
    "components/pages/account/sign_in.py:REASONS": [
        (pattern.fullmatch, ("/sessions/1", "1", "?", "/sessions/1?", "/community?", "#rating-"))
        for pattern, _ in sign_in.REASONS
    ],
    "apps/core/commands.py:OWN_PATH": [(commands.OWN_PATH.fullmatch, ("/", "/a", "//", "/\\"))],
    "apps/community/report_address.py:SUBJECT": [
        (report_address.SUBJECT.fullmatch, ("post:", "post:1", "1", "rating_comment:"))
    ],
    "apps/core/text_rules.py:_UNGUARDED": [(text_rules.cell_guard, CELLS)],
    "apps/core/text_rules.py:_GUARDED": [(text_rules.cell_unguard, CELLS)],
    "apps/imports/tables/encodings.py:_UNREADABLE": [(encodings._UNREADABLE.search, ("a", "\t", "ą"))],
    "apps/imports/tables/encodings.py:_CENTRAL": [
        (encodings._CENTRAL.findall, ("ł", "ń", "ńa", "č", "ař", "ř", "ě", "ď", "a"))
    ],
    "apps/imports/tables/encodings.py:_WORD": [(encodings._WORD.findall, ("a", "ż", " "))],
    "apps/imports/tables/encodings.py:_WESTERN": [
        (encodings._WESTERN.findall, ("ń", "ńa", "č", "ă", "rř", "ř", "ő", "ď", "a"))
    ],
    "apps/imports/program_lines/tokens.py:_IS_MAJOR": [(tokens._IS_MAJOR.fullmatch, ("major", "ma", "m"))],
    "apps/imports/program_lines/lines.py:_LISTED": [(lines._LISTED.match, ("1", "(1", "-", "i", "---", "a)"))],
    "apps/imports/program_lines/lines.py:_SPECIFIED": [
        (lines._SPECIFIED.fullmatch, ("a in ", "a in b ", "a in c major, op. ", " in ", "in c major", "a"))
    ],
    "apps/imports/program_lines/lines.py:_specified": [
        (re.compile(r"(?<!\w)etude in c major(?!\w)").search, ("etude in c", "etude in c majora", "e", "etude "))
    ],
    "apps/imports/program_lines/lines.py:program_read": [(re.compile(r"\w+").findall, ("a", "a ", " ", "1"))],
    "apps/imports/program_lines/tokens.py:_PATTERN": [
        (tokens._PATTERN.findall, ("op. ", "op.10 no.", "c-sharp ", "c", "第一", "1:0", "1'", "https://", "升", "b"))
    ],
    "apps/core/moderation.py:TICK": [(moderation.TICK.fullmatch, ("piece:1:", "piece:", "1", "piece:1.", ".1"))],
    "components/runtime/rendering/html_names.py:TAG": [(html_names.TAG.match, ("a", "a-", "a:"))],
    "components/runtime/rendering/html_names.py:ATTRIBUTE": [(html_names.ATTRIBUTE.match, ("a", "a-", ":"))],
    "components/runtime/rendering/html_names.py:IGNORED_IN_ADDRESS": [
        (html_names.IGNORED_IN_ADDRESS.findall, (" ", "\0", "a "))
    ],
    "components/runtime/rendering/html_names.py:SCHEME": [(html_names.SCHEME.match, ("a", "a+", ":"))],
    "apps/following/models.py:CalendarKey": [(re.compile("^[A-Za-z0-9_-]{43}$").search, ("a", "-"))],
    "apps/jury/models.py:JurySheet": [(re.compile("^[0-9a-f]{64}$").search, ("0", "a"))],
    "apps/ranking/models.py:RankingRun": [(re.compile("^[0-9a-f]{64}$").search, ("0", "a"))],
    "apps/ranking/models.py:RankingMissingSheet": [(re.compile("^[0-9a-f]{64}$").search, ("0", "a"))],
    "apps/ratings/models.py:RatingOrigin": [(re.compile("^[0-9a-f]{64}$").search, ("0", "a"))],
    "components/routes.py:_regex": [
        (routes._regex(route.pattern).fullmatch, (route.pattern, "/", "1", "/participants/1"))
        for route in routes.table()
    ],
    "components/pages/public/ranking_method.py:BRACKETS": [
        (ranking_method.BRACKETS.findall, ("(", "(a - ", "(100 (", "(a\u00a0+", "(a\u00a0+)", ")")),
    ],
    "components/ui/frames.py:TOGETHER": [(frames.TOGETHER.split, ("a", "a ", ",", " ", "a" * 9 + " "))],
    "components/ui/pieces.py:KEY": [(pieces.KEY.fullmatch, ("A", "A-sharp ", "A-"))],
    "components/ui/pieces.py:NUMBERED": [(pieces.NUMBERED.match, ("1", "posth", "p"))],
    "project/visit.py:POLL": [
        (
            visit.POLL.search,
            ("?", "&", "a", "&parts=1", "?parts=1&half=", "&parts=1&half=&versions=", "?parts=1&versions="),
        )
    ],
    "project/sockets/page_socket.py:HANDLER": [(page_socket.HANDLER.match, ("on", "onA", "o"))],
    "project/process/frames.py:SURROGATE": [(process_frames.SURROGATE.search, ("\\", "\\u", "\\ud", "\\uD7"))],
    "project/observability/logs.py:ID": [(logs.ID.fullmatch, ("a", "0123456789abcdef"))],
    "project/observability/logs.py:QUERY": [(logs.QUERY.findall, ("/", "a", "/a", "?", "a?", "/?"))],
    "project/observability/logs.py:HEADER": [
        (logs.HEADER.findall, ("cookie", "cookie ", "cookie: ", "set-cookie:\n", "cookie\n", " "))
    ],
    "project/observability/logs.py:NAMED": [
        (logs.NAMED.findall, ("token", "token-", "token ", "token=", "token= ", "session_key", "a", "-", " ", "passw'"))
    ],
    "project/observability/logs.py:SIGN_IN_ADDRESS": [
        (logs.SIGN_IN_ADDRESS.findall, ("/login", "/login/", "/", "/auth/ "))
    ],
    "project/http/wishes.py:WISH": [(wishes.WISH.fullmatch, ("a", "0" * 32 + " a ", "0" * 32 + " follow_set "))],
    "project/urls.py:urlpatterns": [(re.compile("").search, ("/", "a"))],
}
REPEATS = sorted({repeat for known in PATTERNS.values() for _, repeats in known for repeat in repeats})


def parsed() -> Iterator[tuple[str, ast.AST]]:
    """Yield every module of the site that may have a pattern, without migrations, which repeat the models."""
    for folder in ("apps", "components", "project"):
        for file in (ROOT / folder).rglob("*.py"):
            if "migrations" not in file.parts and WRITTEN.search(text := file.read_text()):
                yield str(file.relative_to(ROOT)), ast.parse(text)


def _of(node: ast.AST, where: str, inside: str) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inside = inside or node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        inside = inside or ast.unparse(target)
    if _has_pattern(node):
        yield where + inside
    for child in ast.iter_child_nodes(node):
        yield from _of(child, where, inside)


def _has_pattern(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)):
            return name in FUNCTIONS
        case ast.Call(func=ast.Name(id="RegexValidator" | "re_path")):
            return True
        case ast.keyword(arg=str(name)):
            return name.endswith("regex")
        case ast.Constant(value=str(text)):
            return text.endswith(("__regex", "__iregex")) or text == "pattern"
    return False


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield every import of a module's patterns by another name than `re`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in {"re", "regex", "fnmatch"}:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (
                name.name
                for name in node.names
                if name.name in {"regex", "fnmatch"} or (name.name == "re" and name.asname)
            )


def test_table_contains_every_pattern() -> None:
    patterns: Counter[str] = Counter()
    for file, tree in parsed():
        patterns.update(_of(tree, f"{file}:", ""))
        assert list(imports(tree)) == [], file
    assert patterns.keys() == PATTERNS.keys()
    assert patterns.total() >= 41


def test_pattern_reads_its_worst_input_fast() -> None:
    def check(place: str) -> None:
        for read, repeats in PATTERNS[place]:
            for text in (text for repeat in repeats for text in repeated(repeat)):
                value = text.encode() if read == logs.ID.fullmatch else text
                with work_bounded():
                    read(value)

    check_each(PATTERNS, check)


OF_THE_PROXY = ("/static/.0123456789ab.", ".0123456789ab.a", "0:", "br ;", "br;q=0.0", ".")


def is_single(repeat: str) -> bool:
    return len(repeat) == 1


def test_patterns_of_the_proxy_read_their_worst_input_fast() -> None:
    conf = (ROOT / "docs" / "operations" / "nginx.conf").read_text()
    patterns = re.findall(r'(?:location ~ |"~\*?)([^"\s]+)', conf)
    assert len(patterns) == conf.count(" ~ ") + conf.count('"~')
    for known in patterns:
        for repeat in (*filter(is_single, REPEATS), *OF_THE_PROXY):
            for text in (*repeated(repeat), f"/static/{(repeat * LENGTH)[:LENGTH]}!"):
                with work_bounded():
                    re.search(known.replace("(?<", "(?P<"), text)


def forms(base: type = BaseForm) -> Iterator[type]:
    """Yield every form class that is loaded with the URL configuration."""
    for form in base.__subclasses__():
        yield form
        yield from forms(form)


def validated_fields() -> Iterator[Any]:
    """Yield every field of forms and models that validates input."""
    import_module(settings.ROOT_URLCONF)
    for form in forms():
        yield from getattr(form, "base_fields", {}).values()
    for model in apps.get_models():
        yield from (
            field
            for field in model._meta.get_fields()
            if hasattr(field, "run_validators") and not isinstance(field, DecimalField)  # it never reads a text
        )


def test_validators_read_long_texts_fast() -> None:
    validated = list(validated_fields())
    assert len(validated) > 100
    distinct: list[Any] = []
    for field in validated:
        if not any(field.validators == other.validators for other in distinct):
            distinct.append(field)
    for repeat in ("a", "a@", "a.", "@a.", "-", "https://", "a%", "1", "1:", " ", "\u00e9"):
        for field, text in product(distinct, repeated(repeat)):
            with work_bounded(), suppress(ValidationError, TypeError):
                field.run_validators(text)
