"""Posts can be about a performance."""

import django.db.models.deletion
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "It writes posts about no performance. The index of the new column has no rows yet: writes wait for one scan."
)


class Migration(migrations.Migration):

    dependencies = [
        ('community', '0003_shown_again'),
        ('competition', '0010_repeated_appearances'),
    ]

    operations = [
        migrations.AddField(
            model_name='post',
            name='session_participant',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.sessionparticipant'),
        ),
        migrations.AddIndex(
            model_name='post',
            index=models.Index(condition=models.Q(('session_participant__isnull', False)), fields=['session_participant', 'is_hidden', '-created_at', '-id'], name='community_post_about'),
        ),
    ]
