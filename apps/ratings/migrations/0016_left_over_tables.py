"""Drop the tables `decided_rating_counts`, with its triggers, and `rating_turns`: no code reads or writes them."""

from django.db import migrations

BESIDE_THE_VERSION_BEFORE = "No code of the version before reads these tables, and the triggers go with their table."
DROPPED = """
DROP TRIGGER IF EXISTS decided_rating_counts_insert ON decided_ratings;
DROP TRIGGER IF EXISTS decided_rating_counts_update ON decided_ratings;
DROP TRIGGER IF EXISTS decided_rating_counts_delete ON decided_ratings;
DROP TABLE IF EXISTS decided_rating_counts, rating_turns;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0015_pieces_in_programs'),
    ]

    operations = [
        migrations.RunSQL(DROPPED, migrations.RunSQL.noop),
    ]
