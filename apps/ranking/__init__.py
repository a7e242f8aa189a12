"""The audience ranking of a stage: computed from all marks by a published method."""
