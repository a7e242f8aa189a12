"""Appearances and imported performances have the names of the code; tables and columns keep theirs. No SQL."""

import django.db.models.constraints
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0019_prizes'),
        # Their foreign keys name the model by its old name.
        ('community', '0005_deleted_subjects'),
        ('imports', '0017_organisers_files'),
        ('live', '0009_comments_about_performances'),
        ('ranking', '0007_version_changed'),
        ('ratings', '0021_pieces_at_once'),
    ]

    operations = [
        migrations.RenameModel(
            old_name='SessionParticipant',
            new_name='Appearance',
        ),
        migrations.RenameModel(
            old_name='Performance',
            new_name='ImportedPerformance',
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='performingtime',
                    name='one_performing_time_lasts',
                ),
                migrations.RenameField(
                    model_name='performingtime',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='performingtime',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', on_delete=django.db.models.deletion.CASCADE, related_name='times', to='competition.appearance'),
                ),
                migrations.AddConstraint(
                    model_name='performingtime',
                    constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('appearance',), name='one_performing_time_lasts'),
                ),
                migrations.RemoveConstraint(
                    model_name='programentry',
                    name='entry_order_once_per_place',
                ),
                migrations.RenameField(
                    model_name='programentry',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='programentry',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', on_delete=django.db.models.deletion.CASCADE, related_name='program', to='competition.appearance'),
                ),
                migrations.AddConstraint(
                    model_name='programentry',
                    constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('appearance', 'order_number'), name='entry_order_once_per_place', violation_error_message='This order number is taken in the program.'),
                ),
            ],
        ),
    ]
