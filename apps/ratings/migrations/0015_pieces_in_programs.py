"""A mark of a piece needs the piece in the program of its performance.

Marks of pieces that have left the program are deleted: no page can explain them, and they counted all the same.
"""

from django.db import migrations

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = (
    "What the version before would leave without a piece is refused with an error; it shows the marks that go nowhere."
)
WITHOUT_PIECE = """
DELETE FROM piece_ratings AS mark WHERE NOT EXISTS (
    SELECT FROM session_participant_pieces AS entry
    WHERE entry.session_participant_id = mark.session_participant_id AND entry.piece_id = mark.piece_id
)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0001_initial'),
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL(WITHOUT_PIECE, migrations.RunSQL.noop),
        migrations.RunSQL(
            sql_text('ratings', 'piece_rating_in_program'),
            'DROP FUNCTION piece_ratings_in_program(), program_entries_rated(), piece_rating_stays() CASCADE',
        ),
    ]
