"""The last migration of each app at release 1: no process of a version before that one will ever run beside another.

What comes later is judged (`tests/migrations_check.py`), for good; so this list stays as it is.
"""

RELEASED = {
    "account": "0009_emailaddress_unique_primary_email",
    "accounts": "0012_people",
    "auth": "0012_alter_user_first_name_max_length",
    "community": "0002_reports",
    "competition": "0007_stages_archived",
    "contenttypes": "0002_remove_content_type_name",
    "core": "0011_rate_limits",
    "demo": "0001_loaded_demos",
    "imports": "0002_participant_files",
    "live": "0006_reaction_moments",
    "mfa": "0003_authenticator_type_uniq",
    "news": "0005_dated_by_the_database",
    "ranking": "0001_initial",
    "ratings": "0014_author_lookups",
    "socialaccount": "0006_alter_socialaccount_extra_data",
}
