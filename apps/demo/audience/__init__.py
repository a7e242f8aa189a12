"""Comments, ratings and reactions of an invented audience; its texts are the JSON files here."""

from apps.demo.audience.comments import comments_load
from apps.demo.audience.community import community_load
from apps.demo.audience.ratings import ratings_load
from apps.demo.audience.reactions import reactions_load

__all__ = ["comments_load", "community_load", "ratings_load", "reactions_load"]
