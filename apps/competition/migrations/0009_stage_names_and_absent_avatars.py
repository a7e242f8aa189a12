"""Stage names are unique without case and spaces; an absent avatar is null.

A name that another stage has in that sense gets its number; the older stage keeps the name.
"""

import django.db.models.functions.text
from django.db import migrations, models

import apps.core.database.fields
import apps.core.text_rules

BESIDE_THE_VERSION_BEFORE = (
    "It shows a null avatar as an absent one, and answers with an error where it would store a second stage of a name."
)
RENAMED = """
UPDATE stages AS later SET name = left(later.name, 80) || ' (' || later.id || ')'
WHERE EXISTS (
    SELECT FROM stages AS earlier
    WHERE earlier.id < later.id AND lower(replace(earlier.name, ' ', '')) = lower(replace(later.name, ' ', ''))
)
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0008_program_undos'),
    ]

    operations = [
        migrations.RunSQL(RENAMED, migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower(django.db.models.functions.text.Replace('name', models.Value(' '), models.Value(''))), name='stage_name_once'),
        ),
        migrations.AlterField(
            model_name='participant',
            name='avatar_url',
            field=apps.core.database.fields.NullWhenEmptyField(blank=True, max_length=2048, null=True, validators=[*apps.core.text_rules.picture_address]),
        ),
        migrations.RunSQL(
            "UPDATE participants SET avatar_url = NULL WHERE avatar_url = ''",
            "UPDATE participants SET avatar_url = '' WHERE avatar_url IS NULL",
        ),
    ]
