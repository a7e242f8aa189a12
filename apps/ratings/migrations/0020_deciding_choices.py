"""What a moderator decides together in the queue of ratings."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The constraint is of a new table, and deletes its row with an account that it deletes."
CASCADE = """
ALTER TABLE deciding_choices
    ADD CONSTRAINT deciding_choice_of_account FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0019_rating_origins'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DecidingChoice',
            fields=[
                (
                    'user',
                    models.OneToOneField(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True,
                        related_name='+', serialize=False, to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ('whole_too', models.BooleanField(db_default=True)),
                ('pieces_too', models.BooleanField(db_default=True)),
            ],
            options={'db_table': 'deciding_choices'},
        ),
        migrations.RunSQL(CASCADE, migrations.RunSQL.noop),
    ]
