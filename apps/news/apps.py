"""App configuration of the news."""

from django.apps import AppConfig


class NewsConfig(AppConfig):
    """News articles that administrators write."""

    name = "apps.news"

    def ready(self) -> None:
        """Register the export of articles, the removal of a deleted account as author, and what can be found."""
        from apps.accounts.data_rights import register  # noqa: PLC0415 - models are importable only after setup
        from apps.news import selectors, services  # noqa: PLC0415
        from apps.news.searchable import searchables_register  # noqa: PLC0415 - as above

        searchables_register()
        register(
            "blog_posts.author_id",
            export=lambda user_id: {"articles": list(selectors.posts_own(user_id=user_id))},
            on_deletion=lambda user_id: services.posts_disown(user_id=user_id),
        )
