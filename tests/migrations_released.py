"""The last migration of each app at release 1. No process of an earlier version runs beside a later one.

`0001_initial` of our apps creates the schema of that release (docs/adr/0022-squashed-migrations.md).
`tests/migrations_check.py` checks later migrations, so this list changes only with the next release.
"""

RELEASED = {
    "account": "0009_emailaddress_unique_primary_email",
    "accounts": "0001_initial",
    "auth": "0012_alter_user_first_name_max_length",
    "community": "0001_initial",
    "competition": "0001_initial",
    "contenttypes": "0002_remove_content_type_name",
    "core": "0001_initial",
    "demo": "0001_loaded_demos",
    "imports": "0001_initial",
    "live": "0001_initial",
    "mfa": "0003_authenticator_type_uniq",
    "news": "0001_initial",
    "ranking": "0001_initial",
    "ratings": "0001_initial",
    "socialaccount": "0006_alter_socialaccount_extra_data",
}
