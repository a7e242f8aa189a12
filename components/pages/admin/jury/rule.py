"""The rule in force, the form that edits it, and what another one would change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError

from apps.core.rounding import Rounding
from apps.core.texts import Texts, texts
from apps.jury.enums import MarkKind, ScoreMethod, SheetState
from apps.jury.limits import DECIMALS, EDITION_LENGTH, NUMBER_LENGTH, RULE_CHANGES_SHOWN, STAGES
from apps.jury.rule_form import rule_fields, rule_read
from apps.jury.rule_preview import ResultChange, SheetPreview, rule_preview
from apps.jury.rules import PRESETS, Rule
from apps.jury.selectors import RulesStored, rule_version, rules_stored
from components.parts.jury.rules import rule_words, weights_note
from components.runtime import Query, VdomDict, command_form, html
from components.ui import forms
from components.ui.blocks import link
from components.ui.empty_states import message
from components.ui.frames import answer_line, version_field

PATH, NAME, CURRENT = "/admin/jury", "rule", "current"  # NAME: of the address field and of the section
ROUNDINGS = {Rounding.HALF_UP: "Half up", Rounding.HALF_EVEN: "Half to the even one", Rounding.DOWN: "Cut off"}


@dataclass(frozen=True, slots=True)
class RuleEdited:
    """A rule in the form: its fields, the errors at them, and without errors what it would change."""

    name: str
    fields: Mapping[str, str]
    errors: Mapping[str, str] = field(default_factory=dict)
    rule: Rule | None = None
    sheets: tuple[SheetPreview, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The stored rules, and the one in the form; None while no form is open."""

    stored: RulesStored
    edited: RuleEdited | None


def rules_load(query: Query, t: Texts) -> RulesPage:
    """Return the rules of the page. One query; three more while a valid rule is in the form.

    `?rule=` opens the form with the rule in force, a preset or the stored rule with this id; the fields of the form
    replace it.
    """
    stored, name = rules_stored(), query.get(NAME, "")
    if not name:
        return RulesPage(stored, None)
    began = PRESETS.get(name) or next((rule for pk, rule in stored.by_id.items() if str(pk) == name), stored.current)
    own = query if "stages" in query else rule_fields(began)
    try:
        rule = rule_read(own)
    except ValidationError as error:
        return RulesPage(stored, RuleEdited(name, own, _sentences(error, t)))
    # the fields again as they were read: stages that were added have theirs
    return RulesPage(stored, RuleEdited(name, rule_fields(rule), {}, rule, rule_preview(rule=rule)))


def _sentences(error: ValidationError, t: Texts) -> dict[str, str]:
    return {
        name: " ".join(t(str(each.message)) % (each.params or {}) for each in errors)
        for name, errors in error.error_dict.items()
    }


def rules_in_force(data: RulesPage, language: str) -> VdomDict:
    """Return the rule in force as text, and the rules that the form can begin with."""
    t = texts(language)
    others = [(name, rule) for name, rule in PRESETS.items() if not rule.is_same(data.stored.current)]
    presets = {(rule.edition, rule.version) for rule in PRESETS.values()}
    others += [
        (str(pk), rule)
        for pk, rule in data.stored.by_id.items()
        if not rule.is_same(data.stored.current) and (rule.edition, rule.version) not in presets
    ]
    ways = (html.li({"key": name}, link(_address(name), _named(rule, t))) for name, rule in others)
    words = rule_words(data.stored.current, t)
    return html.div(
        {"class": "body stack"},
        html.h3(_named(data.stored.current, t)),
        html.details(html.summary({"class": "link"}, t("As text")), words) if data.edited else words,
        html.p(link(_address(CURRENT), t("Change this rule"))),
        html.p(t("Others to look at and to begin with:")),
        html.ul(*ways),
    )


def _address(name: str) -> str:
    return f"{PATH}?{NAME}={name}#{NAME}"


def _named(rule: Rule, t: Texts) -> str:
    return t("{edition}, version {version}").format(edition=rule.edition, version=rule.version)


def rule_form(data: RulesPage, edited: RuleEdited, language: str) -> VdomDict:
    """Return the form of a rule with its preview below; its button Preview reads the page again."""
    t = texts(language)
    count = min(int(edited.fields.get("stages", "0")) if edited.fields.get("stages", "").isdecimal() else 0, STAGES)
    known = [n for n in range(1, count + 1) if f"marks_{n}" in edited.fields]
    wrong = [
        words for name, words in edited.errors.items() if name.partition("_")[0] in ("marks", "method", "rounding")
    ]
    return html.div(
        {"class": "body stack", "data-answers": "", "key": f"rule-{urlencode(edited.fields)}"},
        html.form(
            {"class": "stack", "method": "get", "action": f"{PATH}#{NAME}"},
            html.input({"type": "hidden", "name": NAME, "value": edited.name}),
            _edition_fields(edited, t),
            *(_stage_fields(place, edited, t) for place in known),
            *(html.p({"class": "field__error", "key": words}, words) for words in dict.fromkeys(wrong)),
            html.button({"class": "button button--plain", "type": "submit"}, t("Preview")),
        ),
        _preview(data, edited, edited.rule, language) if edited.rule else None,
    )


def _edition_fields(edited: RuleEdited, t: Texts) -> VdomDict:
    decimals = [(str(n), str(n)) for n in range(DECIMALS + 1)]
    roundings = [(each.value, t(words)) for each, words in ROUNDINGS.items()]
    stages = [(str(n), str(n)) for n in range(1, STAGES + 1)]
    return html.div(
        {"class": "importing"},
        _text(t("Name of the edition"), "edition", edited, EDITION_LENGTH),
        forms.select(t("Number of stages"), "stages", stages, edited.fields.get("stages", "")),
        forms.select(t("Decimals of a score"), "decimals", decimals, edited.fields.get("decimals", "")),
        forms.select(t("Rounding"), "rounding", roundings, edited.fields.get("rounding", "")),
    )


def _stage_fields(place: int, edited: RuleEdited, t: Texts) -> VdomDict:
    def of_stage(name: str) -> str:
        return f"{name}_{place}"

    kinds = [(each.value, t(each.label)) for each in MarkKind]
    methods = [(each.value, t(each.label)) for each in ScoreMethod]
    number = {"inputMode": "decimal"}
    weights = t("One for each stage so far, such as 0.3, 0.7. A stage of weight 0 does not count.")
    named = t("Stage {n}").format(n=place)
    has_error = any(name.endswith(f"_{place}") for name in edited.errors)
    marks = next((words for value, words in kinds if value == edited.fields.get(of_stage("marks"))), "")
    about = f"{named}: {marks}, {edited.fields.get(of_stage('lowest'))}–{edited.fields.get(of_stage('highest'))}"
    return html.details(
        {"key": f"stage-{place}"} | ({"open": True} if has_error else {}),
        html.summary({"class": "link"}, about),
        html.fieldset(
            {"class": "stack", "aria-label": named},
            html.div(
                {"class": "importing"},
                forms.select(t("Jurors give"), of_stage("marks"), kinds, edited.fields.get(of_stage("marks"), "")),
                _text(t("Lowest mark"), of_stage("lowest"), edited, NUMBER_LENGTH, **number),
                _text(t("Highest mark"), of_stage("highest"), edited, NUMBER_LENGTH, **number),
                forms.select(t("Score"), of_stage("method"), methods, edited.fields.get(of_stage("method"), "")),
                _text(t("Distance that is corrected"), of_stage("distance"), edited, NUMBER_LENGTH, **number),
                _text(
                    t("Marks left out at each end"), of_stage("left_out"), edited, NUMBER_LENGTH, inputMode="numeric"
                ),
            ),
            _text(t("Weights in the cumulated score"), of_stage("weights"), edited, NUMBER_LENGTH, hint=weights),
        ),
    )


def _text(label: str, name: str, edited: RuleEdited, longest: int, **more: Any) -> VdomDict:
    return forms.field(
        label,
        name,
        value=edited.fields.get(name, ""),
        error=edited.errors.get(name, ""),
        maxLength=longest,
        autoComplete="off",
        **more,
    )


def _preview(data: RulesPage, edited: RuleEdited, rule: Rule, language: str) -> VdomDict:
    t = texts(language)
    notes = [weights_note(place, stage, t) for place, stage in enumerate(rule.by_place, start=1)]
    return html.div(
        {"class": "stack"},
        html.h3(t("What it would change")),
        *(html.p({"class": "message read__warn", "key": note}, note) for note in notes if note),
        *(_sheet(each, n, t) for n, each in enumerate(edited.sheets)),
        None if edited.sheets else html.p(t("No sheet is stored yet.")),
        html.h3(t("As text")),
        rule_words(rule, t),
        message(t("This rule is in force."), good=True)
        if rule.is_same(data.stored.current)
        else _choose(data, rule, language),
    )


def _sheet(sheet: SheetPreview, number: int, t: Texts) -> VdomDict:
    """Return what the rule would change in a sheet, the first RULE_CHANGES_SHOWN performers."""
    is_public = sheet.state is SheetState.PUBLISHED
    heading = html.h4(sheet.stage, ", ", t("published") if is_public else t("draft"))
    own = {"class": "stack small", "key": f"sheet-{number}"}
    if sheet.error is not None:
        [words] = [t(str(each.message)) % (each.params or {}) for each in sheet.error.error_list]
        return html.div(own, heading, html.p(t("It cannot be computed with this rule:"), " ", words))
    count = t.plural("{n} of %(n)d performer changes.", "{n} of %(n)d performers change.", sheet.performers)
    keeps = t("The published figures stay until the sheet is published again.") if is_public and sheet.changes else ""
    more = len(sheet.changes) - RULE_CHANGES_SHOWN
    rows = (html.li({"key": str(at)}, _change(each, t)) for at, each in enumerate(sheet.changes[:RULE_CHANGES_SHOWN]))
    return html.div(
        own,
        heading,
        html.p(f"{count.format(n=len(sheet.changes))} {keeps}".strip()),
        html.ul(*rows, html.li(t.plural("and %(n)d more", "and %(n)d more", more)) if more > 0 else None),
    )


def _change(change: ResultChange, t: Texts) -> str:
    names = (t("score"), t("cumulated"), t("rank"))
    is_alone = all(figures[0] == figures[1] for figures in (change.before, change.after))  # no stage carries over
    changed = (
        f"{name} {_figure(old)} → {_figure(new)}"
        for at, (name, old, new) in enumerate(zip(names, change.before, change.after, strict=True))
        if old != new and not (at == 1 and is_alone)
    )
    return f"{change.name}: {', '.join(changed)}"


def _figure(value: Decimal | int | None) -> str:
    return "–" if value is None else str(value)


def _choose(data: RulesPage, rule: Rule, language: str) -> VdomDict:
    t = texts(language)
    written = {"id": "rule-fields", "name": "rule", "type": "text", "readOnly": True}
    return html.form(
        command_form("jury_rule_choose") | {"class": "stack"},
        html.div(
            {"hidden": True},
            html.label({"htmlFor": "rule-fields"}, t("Rule")),
            html.input(written | {"defaultValue": urlencode(rule_fields(rule))}),
        ),
        version_field(rule_version(data.stored.current), language, name="rule-version"),
        html.p({"class": "small muted"}, t("Drafts are computed with it at once; published sheets keep their rule.")),
        answer_line(),
        html.button({"class": "button", "type": "submit", "data-busy": t("Saving...")}, t("Use this rule")),
    )
