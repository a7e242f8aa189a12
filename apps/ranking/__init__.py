"""Audience ranking, a stage: a ranking made of all marks by a published method, and what does not count yet."""
