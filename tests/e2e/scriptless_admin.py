"""Rows that administrators create without JavaScript, recognised by title or comment and deleted with the test."""

from collections.abc import Callable, Iterator

from apps.accounts.actors import OPERATOR
from apps.accounts.models import DefaultAvatars, User
from apps.competition.models import Participant, Piece, Session
from apps.competition.services.sessions import session_delete
from apps.news.models import BlogPost
from apps.ratings.models import PerformanceRating
from tests.e2e.conftest import Site

TITLE = "Recital without a script"
WORDS = "Comment of a test without scripts"


def unmade(site: Site) -> Iterator[Callable]:
    """Yield a function that reads the site's database; delete these journeys' rows before and after."""

    def clear() -> None:
        for session in Session.objects.filter(title__startswith=TITLE):
            session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)
        for model in (BlogPost.objects.filter(title__startswith=TITLE), Piece.objects.filter(name__startswith=TITLE)):
            model.delete()
        Participant.objects.filter(country=TITLE).delete()
        PerformanceRating.objects.filter(comment__startswith=WORDS).delete()
        User.objects.filter(username__startswith="uncounted_").delete()
        DefaultAvatars.objects.all().delete()

    site.desk.do(clear)
    yield site.desk.do
    site.desk.do(clear)
