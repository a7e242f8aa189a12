"""Django's registration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Ratings of pieces and performances, and recommendations."""

    name = "apps.ratings"
