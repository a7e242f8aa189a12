"""The appearance of a row has the name of the code; the column keeps its own. No SQL."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0020_appearances'),
        ('live', '0009_comments_about_performances'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(
                    model_name='sessioncomment',
                    name='session_comment_about',
                ),
                migrations.RenameField(
                    model_name='sessioncomment',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='sessioncomment',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='sessioncomment',
                    index=models.Index(condition=models.Q(('appearance__isnull', False)), fields=['appearance', 'is_hidden', '-created_at', '-id'], name='session_comment_about'),
                ),
            ],
        ),
    ]
