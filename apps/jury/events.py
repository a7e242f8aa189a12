"""Events of the jury, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "jury.<id>": "the published jury marks of a stage",
        "jury.drafts": "the jury's sheets as administrators see them",
        "jury.rules": "the rule of the jury that is in force, and those of published sheets",
        "account.<id>.jury": "the stages whose jury marks a member has asked to see",
    }
)


@dataclass(frozen=True, slots=True)
class SheetPublicationChanged:
    """A stage's sheet was published, replaced or taken back, or its cumulated scores changed."""

    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"jury.{self.stage_id}", "jury.drafts", "jury.rules")


@dataclass(frozen=True, slots=True)
class SheetDraftChanged:
    """A draft was saved or deleted."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic to notify."""
        return ("jury.drafts",)


@dataclass(frozen=True, slots=True)
class JuryRuleChanged:
    """Another rule was chosen; drafts are computed with it."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("jury.rules", "jury.drafts")


@dataclass(frozen=True, slots=True)
class JuryShownChanged:
    """A member asked to see the jury's marks of a stage."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic to notify."""
        return (f"account.{self.user_id}.jury",)
