"""Factories that create database rows directly, without services and their checks."""

import datetime as dt
from functools import cache

import factory
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from factory.django import DjangoModelFactory

from apps.accounts.actors import Viewer
from apps.accounts.models import User
from apps.accounts.selectors.sessions import viewer_get
from apps.community.enums import PostReaction
from apps.community.models import Post, PostComment, PostReactionRow
from apps.competition.enums import Category
from apps.competition.models import (
    Appearance,
    ImportedPerformance,
    Participant,
    Piece,
    ProgramEntry,
    Session,
    Stage,
)
from apps.competition.services.participants import name_columns
from apps.live.models import SessionComment
from apps.news.models import BlogPost
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating

EVENING = dt.datetime(2027, 10, 12, 15, 0, tzinfo=dt.UTC)
PLAYED = dt.datetime(2021, 10, 12, 15, 0, tzinfo=dt.UTC)
PASSWORD = "row-g-seat-12"


@cache
def _hashed(password: str) -> str:
    """Return the stored form of the password. Cached, because hashing is slow by design."""
    return make_password(password)


class UserFactory(DjangoModelFactory):
    """An active account without rights; its password is PASSWORD."""

    class Meta:
        model = User

    email = factory.Sequence("listener{}@example.org".format)
    username = factory.Sequence("listener{}".format)
    password = factory.LazyFunction(lambda: _hashed(PASSWORD))


class MemberFactory(UserFactory):
    """An account with a confirmed email address whose user has signed in before."""

    class Meta:
        skip_postgeneration_save = True

    last_login = factory.LazyFunction(timezone.now)

    @factory.post_generation
    def confirmed(self, create: bool, given: bool | None) -> None:
        """Store the email address, confirmed unless `confirmed=False`."""
        if create:
            EmailAddress.objects.create(user=self, email=self.email, verified=given is not False, primary=True)


class AdminFactory(MemberFactory):
    """An active administrator with a confirmed email address."""

    email = factory.Sequence("admin{}@example.org".format)
    username = factory.Sequence("admin{}".format)
    is_admin = True


class StageFactory(DjangoModelFactory):
    """A stage."""

    class Meta:
        model = Stage

    name = factory.Sequence("Stage {}".format)
    order_number = factory.Sequence(lambda n: n + 1)


class SessionFactory(DjangoModelFactory):
    """A past session with a recording; its performances can be rated."""

    class Meta:
        model = Session

    stage = factory.SubFactory(StageFactory)
    title = factory.Sequence("Session {}".format)
    starts_at = PLAYED
    youtube_id = "aqz-KE-bpKQ"


class ParticipantFactory(DjangoModelFactory):
    """A participant; the columns for search and sorting follow from the names."""

    class Meta:
        model = Participant

    first_name = "Zofia"
    second_name = factory.Sequence("Wróblewska{}".format)
    country = "Poland"
    birth_year = 2002
    biography = "Born in Zamość."

    @classmethod
    def _adjust_kwargs(cls, **kwargs):
        names = {key: kwargs[key] for key in ("first_name", "second_name", "name") if key in kwargs}
        return {**name_columns(**names), **kwargs}


class AppearanceFactory(DjangoModelFactory):
    """A participant's appearance in a session."""

    class Meta:
        model = Appearance

    session = factory.SubFactory(SessionFactory)
    participant = factory.SubFactory(ParticipantFactory)
    order_number = factory.LazyAttribute(lambda appearance: appearance.session.appearances.count() + 1)


class PieceFactory(DjangoModelFactory):
    """A piece of the catalogue."""

    class Meta:
        model = Piece

    name = factory.Sequence("Etude in C-sharp minor, Op. 10 No. {}".format)
    category = Category.ETIUDA_A
    composer = "Fryderyk Chopin"
    title = "Etude"
    key = "C-sharp minor"
    opus = "10"
    number = 4


class ProgramEntryFactory(DjangoModelFactory):
    """A piece in an appearance's program."""

    class Meta:
        model = ProgramEntry

    appearance = factory.SubFactory(AppearanceFactory)
    piece = factory.SubFactory(PieceFactory)
    order_number = factory.LazyAttribute(lambda entry: entry.appearance.program.count() + 1)
    slot = factory.SelfAttribute("piece.category")


class ImportedPerformanceFactory(DjangoModelFactory):
    """A performance from an import."""

    class Meta:
        model = ImportedPerformance

    participant = factory.SubFactory(ParticipantFactory)
    stage = "Preliminary Round"
    performance_date = EVENING.date()


class BlogPostFactory(DjangoModelFactory):
    """A published article."""

    class Meta:
        model = BlogPost

    title = factory.Sequence("Article {}".format)
    excerpt = "What it says in short."
    content = "First paragraph.\nSecond paragraph."
    is_published = True
    published_at = factory.LazyAttribute(lambda post: EVENING if post.is_published else None)
    author = factory.SubFactory(AdminFactory)


class PieceRatingFactory(DjangoModelFactory):
    """A pending mark for a piece; `entry` is the program entry that it rates."""

    class Meta:
        model = PieceRating

    class Params:
        entry = None

    user = factory.SubFactory(UserFactory)
    appearance = factory.LazyAttribute(lambda o: o.entry.appearance if o.entry else AppearanceFactory())
    piece = factory.LazyAttribute(lambda o: o.entry.piece if o.entry else PieceFactory())
    score = 20

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        """Add the piece to the program first if it is missing: the database refuses a mark without it."""
        place, piece = kwargs["appearance"], kwargs["piece"]
        if not ProgramEntry.objects.filter(appearance=place, piece=piece).exists():
            ProgramEntryFactory(appearance=place, piece=piece)
        return super()._create(model_class, *args, **kwargs)


class PerformanceRatingFactory(DjangoModelFactory):
    """A pending rating of a whole performance."""

    class Meta:
        model = PerformanceRating

    user = factory.SubFactory(UserFactory)
    appearance = factory.SubFactory(AppearanceFactory)
    score = 4
    comment = "The silences were played as well."
    quick_rating = "great_performance"


class AdvanceRecommendationFactory(DjangoModelFactory):
    """A recommendation that a participant advances."""

    class Meta:
        model = AdvanceRecommendation

    user = factory.SubFactory(UserFactory)
    appearance = factory.SubFactory(AppearanceFactory)
    recommendation = "up"


def viewer_of(user: User) -> Viewer:
    """Return the viewer of an account."""
    return viewer_get(user_id=user.pk)


class SessionCommentFactory(DjangoModelFactory):
    """A comment on a session."""

    class Meta:
        model = SessionComment

    session = factory.SubFactory(SessionFactory)
    user = factory.SubFactory(UserFactory)
    content = factory.Sequence("Heard it {} times.".format)


class PostFactory(DjangoModelFactory):
    """A post in the community feed."""

    class Meta:
        model = Post

    user = factory.SubFactory(UserFactory)
    content = factory.Sequence("Heard from row {}.".format)


class PostCommentFactory(DjangoModelFactory):
    """A comment on a post."""

    class Meta:
        model = PostComment

    post = factory.SubFactory(PostFactory)
    user = factory.SubFactory(UserFactory)
    content = factory.Sequence("So did row {}.".format)


class PostReactionFactory(DjangoModelFactory):
    """A user's reaction to a post."""

    class Meta:
        model = PostReactionRow

    post = factory.SubFactory(PostFactory)
    user = factory.SubFactory(UserFactory)
    type = PostReaction.APPLAUSE
