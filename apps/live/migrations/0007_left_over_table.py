"""Drop the table `session_comment_allowances`: no code reads or writes it."""

from django.db import migrations

BESIDE_THE_VERSION_BEFORE = "No code of the version before reads or writes this table."


class Migration(migrations.Migration):

    dependencies = [
        ('live', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL('DROP TABLE IF EXISTS session_comment_allowances', migrations.RunSQL.noop),
    ]
