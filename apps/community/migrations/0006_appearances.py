"""The appearance of a row has the name of the code; the column keeps its own. No SQL."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('community', '0005_deleted_subjects'),
        ('competition', '0020_appearances'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='post',
                    name='community_post_one_subject',
                ),
                migrations.RemoveIndex(
                    model_name='post',
                    name='community_post_about',
                ),
                migrations.RenameField(
                    model_name='post',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='post',
                    name='appearance',
                    field=models.ForeignKey(blank=True, db_column='session_participant_id', db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='post',
                    index=models.Index(condition=models.Q(('appearance__isnull', False)), fields=['appearance', 'is_hidden', '-created_at', '-id'], name='community_post_about'),
                ),
                migrations.AddConstraint(
                    model_name='post',
                    constraint=models.CheckConstraint(condition=models.Q(('is_subject_deleted', False), ('appearance', None), _connector='OR'), name='community_post_one_subject'),
                ),
            ],
        ),
    ]
