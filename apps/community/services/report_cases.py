"""Cases of reported texts, which are locked after the texts themselves (`report_texts.py`)."""

from collections.abc import Collection, Mapping

from django.db.models import Q

from apps.community.enums import ReportKind
from apps.community.models import ReportCase
from apps.community.services.report_texts import Subject, ids_by_kind
from apps.core.hideable_texts import TextState


def cases_lock(which: Q, subjects: Collection[Subject]) -> list[ReportCase]:
    """Lock the cases of these texts that match `which`, in the order of their ids, and return them."""
    of_texts = Q(pk__in=[])
    for kind, ids in ids_by_kind(subjects).items():
        of_texts |= Q(kind=kind, subject_id__in=ids)
    return list(ReportCase.objects.select_for_update(no_key=True).filter(which & of_texts).order_by("pk"))


def subject_of(case: ReportCase) -> Subject:
    """Return kind and id of the text of a case."""
    return ReportKind(case.kind), case.subject_id


def authors_of(subjects: Collection[Subject], found: Mapping[Subject, TextState]) -> tuple[int, ...]:
    """Return the ids of these texts' authors, without former members."""
    authors = {found[each].author_id for each in subjects}
    return tuple(sorted(author for author in authors if author is not None))
