"""Entries of pieces are written anew by the next start (`entries_complete`): pieces have more names."""

from django.db import migrations

BESIDE_THE_VERSION_BEFORE = (
    "Entries of pieces are derived. The start that migrates writes them before it serves; until then, a few seconds, "
    "processes of the version before find no pieces."
)


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL("DELETE FROM search_entries WHERE kind = 'piece'", migrations.RunSQL.noop),
    ]
