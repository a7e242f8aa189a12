"""Django's registration of the news app."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    """Articles that administrators write."""

    name = "apps.news"

    def ready(self) -> None:
        """Register export of articles; they stay without an author when the account is deleted."""
        from apps.accounts.data_rights import register  # noqa: PLC0415 - models exist only now
        from apps.news import selectors, services  # noqa: PLC0415

        register(
            "blog_posts.author_id",
            export=lambda user_id: {"articles": list(selectors.posts_own(user_id=user_id))},
            on_deletion=lambda user_id: services.posts_disown(user_id=user_id),
        )
