"""Keys of stages, and digests of the address blocks that ratings were submitted from."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

BESIDE_THE_VERSION_BEFORE = (
    "The constraints are of new tables, and delete their rows with what the version before deletes. Its submits leave "
    "the digest of an earlier submit. A ranking that it closes keeps its key until the next computation of the stage."
)
CASCADES = """
ALTER TABLE stage_keys
    ADD CONSTRAINT stage_key_of_stage FOREIGN KEY (stage_id) REFERENCES stages (id) ON DELETE CASCADE;
ALTER TABLE rating_origins
    ADD CONSTRAINT rating_origin_of_key FOREIGN KEY (stage_id) REFERENCES stage_keys (stage_id) ON DELETE CASCADE,
    ADD CONSTRAINT rating_origin_of_rating FOREIGN KEY (user_id, session_participant_id)
        REFERENCES rating_submissions (user_id, session_participant_id) ON DELETE CASCADE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0010_repeated_appearances'),
        ('ratings', '0018_was_submitted'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StageKey',
            fields=[
                (
                    'stage',
                    models.OneToOneField(
                        db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True,
                        related_name='+', serialize=False, to='competition.stage',
                    ),
                ),
                ('key', models.BinaryField()),
            ],
            options={
                'db_table': 'stage_keys',
                'constraints': [models.CheckConstraint(condition=Exact(Length('key'), 32), name='stage_key_length')],
            },
        ),
        migrations.CreateModel(
            name='RatingOrigin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                (
                    'session_participant',
                    models.ForeignKey(
                        db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name='+', to='competition.sessionparticipant',
                    ),
                ),
                (
                    'user',
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+',
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    'stage',
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+',
                        to='ratings.stagekey',
                    ),
                ),
            ],
            options={
                'db_table': 'rating_origins',
                'constraints': [
                    models.UniqueConstraint(fields=['user', 'session_participant'], name='rating_origin_once'),
                    models.CheckConstraint(
                        condition=Q(digest__regex='^[0-9a-f]{64}$'), name='rating_origin_well_formed',
                    ),
                ],
            },
        ),
        migrations.RunSQL(CASCADES, migrations.RunSQL.noop),
    ]
