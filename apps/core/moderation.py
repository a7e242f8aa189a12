"""Moderation: one item, a selection or all that match are decided, and a decision is undone within UNDO_LIFETIME.

A kind of item (marks of ratings, reported texts) declares itself once as a `Moderation`: its sentences, its verdicts,
its table of decisions, the fields of its queue's address, and how items are locked, changed and restored. Permission,
limits, refusals, counts of what was left, the undo and the arguments of commands are the same for every kind.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import groupby
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.functions import Now

from apps.core.commands import UNREADABLE, Answer, Arguments, moment_number, moment_read
from apps.core.permissions import require
from apps.core.texts import Texts, texts

UNDO_LIFETIME = timedelta(minutes=10)  # of a decision, in which it can be undone
COUNTED = 20_000  # items; more of them are not counted
SELECTED = 1000  # items of one selection
TICK = re.compile(r"([a-z_]{1,20}):([1-9]\d{0,17}(?:\.[1-9]\d{0,17}){0,99}):([1-9]\d{0,17})", re.ASCII)

Kind = TypeVar("Kind", bound=Enum)
Verdict = TypeVar("Verdict", bound=Enum)
Filters = TypeVar("Filters")
Plural = tuple[str, str]  # a sentence with %(n)d for one, and for any other number


@dataclass(frozen=True, slots=True)
class Seen(Generic[Kind]):
    """An item as a moderator read it; `seen_at` is its `updated_at` then, None accepts any."""

    kind: Kind
    id: int
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchCount:
    """How many items matched at the filters' `until` (`total`), and how many came since, at most COUNTED + 1.

    `marks` is the number of marks that a decision about all that match includes.
    """

    total: int
    newer: int
    marks: int = 0


@dataclass(frozen=True, slots=True)
class LastDecision:
    """A decision that can be undone, and how many items it was about."""

    id: int
    verdict: Enum
    count: int


@dataclass(frozen=True, slots=True)
class OthersDecision:
    """What another moderator decided: whether the item was accepted or refused, and the moderator's name, if known."""

    verdict: Enum
    by: str


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a kind, to be translated."""

    not_allowed: str
    select_first: str  # without a selection, or for more than SELECTED
    unknown_verdict: str
    decided: str  # the refusal when all was decided before
    changed: str  # the refusal when all that waits changed since it was read
    decided_counts: Mapping[Any, Plural]  # by verdict
    others_count: Plural  # decided by another moderator, or deleted
    changed_count: Plural  # changed since they were read
    undone_count: Plural
    left_count: Plural  # not undone: changed since the decision


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a decision: its id for the undo, how many items were decided, and how many were left."""

    id: int
    verdict: Enum
    sentences: Sentences
    decided: int
    others: int = 0  # decided by another moderator, or deleted
    changed: int = 0  # since they were read
    single: str = ""  # the sentence of one item alone
    also: tuple[Plural, int] | None = None  # a second sentence beside it: what was decided with it

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the moderator."""
        t, written = texts(language), self.sentences
        if self.single and not (self.others or self.changed):
            return f"{t(self.single)}. {t.plural(*self.also[0], self.also[1])}" if self.also else t(self.single)
        many = (written.decided_counts[self.verdict], self.decided)
        return _counted(t, many, (written.others_count, self.others), (written.changed_count, self.changed))


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo: how many items are as they were before, and how many had changed since."""

    sentences: Sentences
    back: int
    left: int

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the moderator."""
        written = self.sentences
        return _counted(texts(language), (written.undone_count, self.back), (written.left_count, self.left))


def _counted(t: Texts, *counts: tuple[Plural, int]) -> str:
    """Return the sentences of these numbers, without those of 0."""
    return " ".join(t.plural(*forms, n) for forms, n in counts if n)


class Moderation(ABC, Generic[Kind, Verdict, Filters]):
    """A kind of items that are moderated."""

    sentences: Sentences
    kinds: type[Kind]
    verdicts: type[Verdict]
    decisions: Any  # the model: `user_id`, `created_at`, `verdict`, `count`
    field: str  # the name of the boxes that select an item
    page_size: int  # of the queue, all of which may be selected
    undo_command: str
    can_moderate: Callable[[Any], bool]  # whether an actor may decide
    fields_of: Callable[[Filters], Mapping[str, str]]  # the fields of the queue's address for these filters
    filters_of: Callable[[Mapping[str, str]], Filters]

    @abstractmethod
    def decide_seen(self, actor: Any, verdict: Verdict, seen: Sequence[Seen[Kind]]) -> DecisionResult:
        """Lock these items, decide about those that still wait as they were read, note and publish it.

        This and `decide_matches` call `prune`, each kind at its place in the order of its locks.
        """

    @abstractmethod
    def decide_matches(self, actor: Any, verdict: Verdict, filters: Filters, until: datetime) -> DecisionResult:
        """Lock what waits and matches, decide about it, note and publish it."""

    def lock_before_undo(self, decision_id: int) -> None:
        """Take the locks that come before the decision's own."""

    @abstractmethod
    def restore(self, actor: Any, decision: Any) -> Undone:
        """Undo what the locked decision changed, note and publish it."""

    @transaction.atomic
    def decide(self, *, actor: Any, decision: str, seen: Sequence[Seen[Kind]]) -> DecisionResult:
        """Decide about these items, at most SELECTED; each is decided once, although others decide at the same time.

        Raises PermissionDenied, ValidationError when all are decided already, or none is as it was read.
        """
        require(self.can_moderate(actor), self.sentences.not_allowed)
        verdict = self._verdict(decision)
        if not 0 < len(seen) <= SELECTED:
            raise ValidationError(self.sentences.select_first)
        result = self.decide_seen(actor, verdict, seen)
        if not result.decided:
            raise ValidationError(self.sentences.changed if result.changed else self.sentences.decided)
        return result

    @transaction.atomic
    def decide_matching(self, *, actor: Any, decision: str, filters: Filters, until: datetime) -> DecisionResult:
        """Decide about what waits, matches and changed no later than `until`, when the moderator's list was read.

        Raises PermissionDenied, ValidationError when no item matches.
        """
        require(self.can_moderate(actor), self.sentences.not_allowed)
        verdict = self._verdict(decision)
        result = self.decide_matches(actor, verdict, filters, until)
        if not result.decided:
            raise ValidationError("Nothing that waits matches any more.")
        return result

    @transaction.atomic
    def undo(self, *, actor: Any, decision_id: int) -> Undone:
        """Undo a decision, except for items that changed since.

        Raises PermissionDenied, ValidationError when the decision is too old or was undone already.
        """
        require(self.can_moderate(actor), self.sentences.not_allowed)
        self.lock_before_undo(decision_id)
        current = self.decisions.objects.select_for_update().filter(pk=decision_id, created_at__gt=decided_since())
        decision = current.first()
        if decision is None:
            raise ValidationError("This can no longer be taken back.")
        undone = self.restore(actor, decision)
        decision.delete()
        return undone

    @transaction.atomic
    def prune(self) -> int:
        """Delete decisions that can no longer be undone; returns how many rows."""
        count, _ = self.decisions.objects.filter(created_at__lte=decided_since()).delete()
        return int(count)

    def one_argument(self, verdict: Verdict, items: Iterable[Any], first: Kind | None = None) -> str:
        """Return the argument that decides about these items of one row; `first` is the kind of its queue."""
        return f"{verdict.value}:{tick_of(items, first)}"

    def matching_argument(self, verdict: Verdict, filters: Any) -> str:
        """Return the argument that decides about all that match; it contains the filters with their `until`."""
        until = moment_number(filters.until) if filters.until else 0
        return f"{verdict.value}:{until}:{urlencode(self.fields_of(filters))}"

    def matching_read(self, given: Arguments) -> tuple[Filters, datetime]:
        """Return the filters in the argument, and their moment. Raises ValidationError."""
        fields = dict(parse_qsl(given.argument.split(":", 2)[-1].replace("\0", "")))
        return self.filters_of(fields), moment_read(given.id(1))

    def answer_one(self, actor: Any, given: Arguments, t: Texts) -> Answer:
        """Decide about the row in the argument as it was seen: "approve:piece:12.13:1823360400000000"."""
        verdict, _, tick = given.argument.partition(":")
        return self._answer(self.decide(actor=actor, decision=verdict, seen=self._seen_read(tick)), t)

    def answer_selected(self, actor: Any, given: Arguments, t: Texts) -> Answer:
        """Decide about the rows that are ticked."""
        verdict = given.choice("decision", self._words())
        seen = [each for tick in given.several(self.field, self.page_size) for each in self._seen_read(tick)]
        return self._answer(self.decide(actor=actor, decision=verdict, seen=seen), t, empty=True)

    def answer_matching(self, actor: Any, given: Arguments, t: Texts) -> Answer:
        """Decide about everything that the argument describes."""
        verdict, (filters, until) = given.word(0, self._words()), self.matching_read(given)
        return self._answer(self.decide_matching(actor=actor, decision=verdict, filters=filters, until=until), t)

    def answer_undo(self, actor: Any, given: Arguments, t: Texts) -> Answer:
        """Undo the decision in the argument."""
        return Answer(self.undo(actor=actor, decision_id=given.id()).sentence_in(t.language))

    def _answer(self, result: DecisionResult, t: Texts, **more: Any) -> Answer:
        return Answer(result.sentence_in(t.language), undo=(self.undo_command, result.id), **more)

    def _seen_read(self, tick: str) -> list[Seen[Kind]]:
        """Return the items that a tick names. Raises ValidationError."""
        seen = []
        for part in tick.split("+"):
            found = TICK.fullmatch(part)
            if found is None or found[1] not in {kind.value for kind in self.kinds}:
                raise ValidationError(UNREADABLE)
            at = moment_read(int(found[3]))
            seen += [Seen(self.kinds(found[1]), int(pk), at) for pk in found[2].split(".")]
        return seen

    def _words(self) -> tuple[str, ...]:
        return tuple(verdict.value for verdict in self.verdicts)

    def _verdict(self, word: str) -> Verdict:
        if word not in self._words():
            raise ValidationError(self.sentences.unknown_verdict)
        return self.verdicts(word)


def tick_of(items: Iterable[Any], first: Enum | None = None) -> str:
    """Return items as they were read, in a word: "piece:17.18:1823360400000000", joined by "+" where moments differ.

    Items of the kind `first` come first: it is the kind of the moderator's queue.
    """
    read = [((item.kind.value, moment_number(item.updated_at)), str(item.id)) for item in items]
    queue_kind = first.value if first else ""
    read.sort(key=lambda each: (each[0][0] != queue_kind, each))
    groups = groupby(read, key=lambda each: each[0])
    return "+".join(f"{kind}:{'.'.join(pk for _, pk in same)}:{at}" for (kind, at), same in groups)


def decision_last(decisions: Any, *, user_id: int) -> LastDecision | None:
    """Return this account's last decision that can still be undone, or None. One query."""
    found = decisions.objects.filter(user_id=user_id, created_at__gt=decided_since()).order_by("-pk").first()
    return LastDecision(found.pk, found.verdict, found.count) if found else None


def decided_since() -> "ExpressionWrapper[Any]":
    """Return since when decisions can be undone, as an expression of the database."""
    return ExpressionWrapper(Now() - Value(UNDO_LIFETIME), output_field=DateTimeField())
