"""A rule as the fields of a form and of an address: read from them, and written into them."""

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import TypeVar

from django.core.exceptions import ValidationError

from apps.core.rounding import Rounding
from apps.core.text_rules import is_storable
from apps.jury.enums import MarkKind, ScoreMethod
from apps.jury.limits import EDITION_LENGTH, NUMBER_LENGTH, STAGES
from apps.jury.rules import Rule, StageRule, edition_error, rule_check, stages_error

Fields = Mapping[str, str]
Choice = TypeVar("Choice", bound=Enum)
_NO_NUMBER = Decimal("NaN")  # `rule_check` refuses it
_WHOLE_DIGITS = 2
_DIGITS = frozenset("0123456789.")


def rule_fields(rule: Rule) -> dict[str, str]:
    """Return a rule as the fields of the form; those of a stage end with its place."""
    fields = {
        "edition": rule.edition,
        "decimals": str(rule.decimals),
        "rounding": rule.rounding.value,
        "stages": str(rule.stages),
    }
    for place, stage in enumerate(rule.by_place, start=1):
        of_stage = {
            "marks": stage.marks.value,
            "lowest": number_plain(stage.lowest),
            "highest": number_plain(stage.highest),
            "method": stage.method.value,
            "distance": number_plain(stage.distance),
            "left_out": str(stage.left_out),
            "weights": ", ".join(map(number_plain, stage.weights)),
        }
        fields |= {f"{name}_{place}": value for name, value in of_stage.items()}
    return fields


def rule_read(fields: Fields) -> Rule:
    """Return the rule of these fields, which are untrusted, with version 0. Raises ValidationError by field.

    What a stage does not use is left out: the distance of a method without correction, a scale of yes and no. A stage
    that was added has the fields of the last one, and the stages before it do not count.
    """
    edition = " ".join(fields.get("edition", "").split())
    if not is_storable(edition) or len(edition) > EDITION_LENGTH:
        raise ValidationError({"edition": edition_error()})
    stages = _whole(fields.get("stages", ""))
    if not 1 <= stages <= STAGES:
        raise ValidationError({"stages": stages_error()})
    by_place: list[StageRule] = []
    for place in range(1, stages + 1):
        by_place.append(_stage(fields, place) if f"marks_{place}" in fields else _added(by_place))
    rounding = _choice(Rounding, fields, "rounding")
    rule = Rule(edition, 0, tuple(by_place), _whole(fields.get("decimals", "")), rounding)
    rule_check(rule)
    return rule


def number_plain(value: Decimal) -> str:
    """Return a decimal without needless zeros: 3.00 is "3", 0.70 is "0.7"."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _stage(fields: Fields, place: int) -> StageRule:
    def number(name: str) -> Decimal:
        return _number(fields.get(f"{name}_{place}", ""))

    marks, method = _choice(MarkKind, fields, f"marks_{place}"), _choice(ScoreMethod, fields, f"method_{place}")
    is_vote = marks is MarkKind.YES_NO
    return StageRule(
        weights=tuple(map(_number, _parts(fields.get(f"weights_{place}", "")))),
        method=method,
        marks=marks,
        lowest=Decimal(0) if is_vote else number("lowest"),
        highest=Decimal(1) if is_vote else number("highest"),
        distance=number("distance") if method is ScoreMethod.CORRECTED else Decimal(0),
        left_out=_whole(fields.get(f"left_out_{place}", "")) if method is ScoreMethod.TRIMMED else 0,
    )


def _added(before: list[StageRule]) -> StageRule:
    """Return a stage like the last one, for which the stages before do not count."""
    last = before[-1] if before else StageRule(())
    weights = (*[Decimal(0)] * len(before), Decimal(1))
    return StageRule(weights, last.method, last.marks, last.lowest, last.highest, last.distance, last.left_out)


def _parts(text: str) -> Iterable[str]:
    return text[:NUMBER_LENGTH].replace(";", ",").replace(", ", ",").split(",")


def _number(text: str) -> Decimal:
    """Return a number of ASCII digits with a point; NaN for any other text."""
    text = text.strip()[:NUMBER_LENGTH]
    try:
        return Decimal(text) if text and _DIGITS.issuperset(text) else _NO_NUMBER
    except InvalidOperation:  # two points
        return _NO_NUMBER


def _whole(text: str) -> int:
    """Return a number of at most two digits; -1, which `rule_check` refuses, for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _WHOLE_DIGITS else -1


def _choice(choices: type[Choice], fields: Fields, name: str) -> Choice:
    found = next((each for each in choices if each.value == fields.get(name, "")), None)
    if found is None:
        raise ValidationError({name: "Please choose one of the list."})
    return found
