"""The rules of a jury as text: one stage in a sentence or more, a whole rule, and the part with the rules in use."""

from collections.abc import Iterator

from apps.core.rounding import Rounding
from apps.core.texts import Texts, texts
from apps.jury.enums import MarkKind, ScoreMethod
from apps.jury.rule_form import number_plain
from apps.jury.rules import Rule, StageRule
from apps.jury.selectors import RuleInUse, rules_in_use
from components.runtime import VdomDict, html, public_part, read_once
from components.ui.frames import section

# sources of gettext
ROUNDED = {
    Rounding.HALF_UP: (
        "Every step is rounded half up to {n} decimal: the mean, the score and the cumulated score.",
        "Every step is rounded half up to {n} decimals: the mean, the score and the cumulated score.",
    ),
    Rounding.HALF_EVEN: (
        "Every step is rounded to {n} decimal, halves to the even one: the mean, the score and the cumulated score.",
        "Every step is rounded to {n} decimals, halves to the even one: the mean, the score and the cumulated score.",
    ),
    Rounding.DOWN: (
        "Every step is cut off after {n} decimal: the mean, the score and the cumulated score.",
        "Every step is cut off after {n} decimals: the mean, the score and the cumulated score.",
    ),
}
GIVEN = {
    MarkKind.POINTS: "Jurors give points from {lowest} to {highest}.",
    MarkKind.YES_NO: "Jurors vote yes (1) or no (0).",
    MarkKind.PLACES: "Jurors give places, 1 for the best.",
}
SCORED = {
    ScoreMethod.MEAN: "The score is the mean of the marks.",
    ScoreMethod.CORRECTED: (
        "A mark farther from the mean of all jurors than {distance} points is set to that distance, and the mean is "
        "taken again."
    ),
    ScoreMethod.RANKS: (
        "Each juror’s marks give ranks; equal ones share the mean of theirs. The score is the sum of the ranks, the "
        "lowest sum is the best. In place of a recused juror’s rank stands the mean of the others’."
    ),
}
SHARE = "The score is the share of yes."
LEFT_OUT = (
    "The highest and the lowest mark of each performance are left out; the score is the mean of the others.",
    "The {n} highest and the {n} lowest marks of each performance are left out; the score is the mean of the others.",
)
RECUSED = (
    "Jurors do not mark their own students, and the means of those performances are without them. Equal scores share a "
    "rank."
)
NAME = "jury"  # of the section of the method page


def stage_rule_words(stage: StageRule, t: Texts) -> str:
    """Return how the score of a stage follows from the jurors' marks, without its weights."""
    given = t(GIVEN[stage.marks]).format(lowest=number_plain(stage.lowest), highest=number_plain(stage.highest))
    return f"{given} {_scored(stage, t)}"


def _scored(stage: StageRule, t: Texts) -> str:
    if stage.method is ScoreMethod.TRIMMED:
        return t.plural(*LEFT_OUT, stage.left_out).format(n=stage.left_out)
    is_share = stage.marks is MarkKind.YES_NO and stage.method is ScoreMethod.MEAN
    return t(SHARE if is_share else SCORED[stage.method]).format(distance=number_plain(stage.distance))


def rounding_words(rule: Rule, t: Texts) -> str:
    """Return how the steps of a rule are rounded."""
    return t.plural(*ROUNDED[rule.rounding], rule.decimals).format(n=rule.decimals)


def weights_note(place: int, stage: StageRule, t: Texts) -> str:
    """Return the note that the weights of a stage do not add up to 1; empty if they do."""
    if stage.total_weight == 1:
        return ""
    words = t("The weights of stage {n} add up to {sum}, not to 1.")
    return words.format(n=place, sum=number_plain(stage.total_weight))


def rule_words(rule: Rule, t: Texts) -> VdomDict:
    """Return a rule as text: how it is rounded, and each stage with its weights."""
    stages = (
        html.li(
            {"key": f"stage-{place}"}, html.b(t("Stage {n}:").format(n=place)), " ", " ".join(_stage(place, rule, t))
        )
        for place in range(1, rule.stages + 1)
    )
    return html.div(
        {"class": "stack", "key": f"rule-{rule.edition}-{rule.version}"},
        html.p(rounding_words(rule, t)),
        html.ul({"class": "small"}, *stages),
        html.p(t(RECUSED)),
    )


def _stage(place: int, rule: Rule, t: Texts) -> Iterator[str]:
    stage = rule.stage(place)
    yield stage_rule_words(stage, t)
    if stage.carries_over:
        weights = ", ".join(map(number_plain, stage.weights))
        yield t("Weights of the stages so far in the cumulated score: {weights}.").format(weights=weights)
    elif place > 1:
        yield t("Earlier stages do not count.")
    if note := weights_note(place, stage, t):
        yield note


@public_part(topics=lambda: ("jury.rules", "stages"))
def jury_rules(*, language: str) -> VdomDict:
    """The rule of the jury in force, and those of published sheets, as text."""
    t = texts(language)
    in_use = read_once(rules_in_use)
    return section(
        t("The jury’s rules"),
        html.div({"class": "body prose method"}, *(_in_use(each, t) for each in in_use)),
        name=NAME,
    )


def _in_use(each: RuleInUse, t: Texts) -> VdomDict:
    name = t("{edition}, version {version}").format(edition=each.rule.edition, version=each.rule.version)
    published = (
        t("Stages published under this rule: {stages}.").format(stages=", ".join(each.stages)) if each.stages else ""
    )
    state = "" if each.is_current else t("No longer in force; these sheets keep the rule that they were computed with.")
    about = " ".join(filter(None, (published, state)))
    return html.div(
        {"class": "stack", "key": f"in-use-{each.rule.edition}-{each.rule.version}"},
        html.h3(name),
        html.p(about) if about else None,
        rule_words(each.rule, t),
    )
