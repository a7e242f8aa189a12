"""The appearance of a row has the name of the code; the column keeps its own. No SQL."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0020_appearances'),
        ('ratings', '0021_pieces_at_once'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='piecerating',
                    name='piece_rated_once',
                ),
                migrations.RemoveIndex(
                    model_name='piecerating',
                    name='piecerating_place_all',
                ),
                migrations.RenameField(
                    model_name='piecerating',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='piecerating',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='piecerating',
                    index=models.Index(fields=['appearance', '-created_at', '-id'], name='piecerating_place_all'),
                ),
                migrations.AddConstraint(
                    model_name='piecerating',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance', 'piece'), name='piece_rated_once'),
                ),
                migrations.RemoveConstraint(
                    model_name='performancerating',
                    name='performance_rated_once',
                ),
                migrations.RemoveIndex(
                    model_name='performancerating',
                    name='performancerating_place_all',
                ),
                migrations.RemoveIndex(
                    model_name='performancerating',
                    name='performancerating_place_shown',
                ),
                migrations.RemoveIndex(
                    model_name='performancerating',
                    name='performancerating_place_waits',
                ),
                migrations.RenameField(
                    model_name='performancerating',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='performancerating',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='performancerating',
                    index=models.Index(fields=['appearance', '-created_at', '-id'], name='performancerating_place_all'),
                ),
                migrations.AddIndex(
                    model_name='performancerating',
                    index=models.Index(condition=models.Q(('approved', True), ('is_author_active', True)), fields=['appearance', '-created_at', '-id'], name='performancerating_place_shown'),
                ),
                migrations.AddIndex(
                    model_name='performancerating',
                    index=models.Index(condition=models.Q(('approved', False), ('is_author_active', True)), fields=['appearance', '-updated_at', '-id'], name='performancerating_place_waits'),
                ),
                migrations.AddConstraint(
                    model_name='performancerating',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance'), name='performance_rated_once'),
                ),
                migrations.RemoveConstraint(
                    model_name='ratingsubmission',
                    name='submitted_once',
                ),
                migrations.RemoveIndex(
                    model_name='ratingsubmission',
                    name='submission_place_given',
                ),
                migrations.RemoveIndex(
                    model_name='ratingsubmission',
                    name='submission_place_shown',
                ),
                migrations.RemoveIndex(
                    model_name='ratingsubmission',
                    name='submission_place_waiting',
                ),
                migrations.RenameField(
                    model_name='ratingsubmission',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='ratingsubmission',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='ratingsubmission',
                    index=models.Index(fields=['appearance', '-given_at', '-id'], name='submission_place_given'),
                ),
                migrations.AddIndex(
                    model_name='ratingsubmission',
                    index=models.Index(condition=models.Q(('shown_at__isnull', False)), fields=['appearance', '-shown_at', '-id'], name='submission_place_shown'),
                ),
                migrations.AddIndex(
                    model_name='ratingsubmission',
                    index=models.Index(condition=models.Q(('waiting_at__isnull', False)), fields=['appearance', '-waiting_at', '-id'], name='submission_place_waiting'),
                ),
                migrations.AddConstraint(
                    model_name='ratingsubmission',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance'), name='submitted_once'),
                ),
                migrations.RemoveConstraint(
                    model_name='ratingorigin',
                    name='rating_origin_once',
                ),
                migrations.RenameField(
                    model_name='ratingorigin',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='ratingorigin',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddConstraint(
                    model_name='ratingorigin',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance'), name='rating_origin_once'),
                ),
                migrations.RemoveConstraint(
                    model_name='ratingdraft',
                    name='drafted_once',
                ),
                migrations.RenameField(
                    model_name='ratingdraft',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='ratingdraft',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.appearance'),
                ),
                migrations.AddConstraint(
                    model_name='ratingdraft',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance'), name='drafted_once'),
                ),
                migrations.RemoveConstraint(
                    model_name='advancerecommendation',
                    name='recommended_once',
                ),
                migrations.RenameField(
                    model_name='advancerecommendation',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='advancerecommendation',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='competition.appearance'),
                ),
                migrations.AddConstraint(
                    model_name='advancerecommendation',
                    constraint=models.UniqueConstraint(fields=('user', 'appearance'), name='recommended_once'),
                ),
                migrations.RemoveIndex(
                    model_name='pieceratingcount',
                    name='piece_rating_counted',
                ),
                migrations.RenameField(
                    model_name='pieceratingcount',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='pieceratingcount',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='pieceratingcount',
                    index=models.Index(fields=['appearance', 'piece_id', 'approved'], name='piece_rating_counted'),
                ),
                migrations.RemoveIndex(
                    model_name='ratingsubmissioncount',
                    name='submission_counted',
                ),
                migrations.RenameField(
                    model_name='ratingsubmissioncount',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='ratingsubmissioncount',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='ratingsubmissioncount',
                    index=models.Index(fields=['appearance', 'waiting_pieces', 'approved_pieces'], name='submission_counted'),
                ),
                migrations.RemoveIndex(
                    model_name='piecemarkcount',
                    name='piece_mark_counted',
                ),
                migrations.RenameField(
                    model_name='piecemarkcount',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='piecemarkcount',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='piecemarkcount',
                    index=models.Index(fields=['appearance', 'piece_id', 'score'], name='piece_mark_counted'),
                ),
                migrations.RemoveIndex(
                    model_name='performanceratingcount',
                    name='performance_rating_counted',
                ),
                migrations.RenameField(
                    model_name='performanceratingcount',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='performanceratingcount',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='performanceratingcount',
                    index=models.Index(fields=['appearance', 'approved', 'score'], name='performance_rating_counted'),
                ),
                migrations.RemoveIndex(
                    model_name='recommendationcount',
                    name='recommendation_counted',
                ),
                migrations.RenameField(
                    model_name='recommendationcount',
                    old_name='session_participant',
                    new_name='appearance',
                ),
                migrations.AlterField(
                    model_name='recommendationcount',
                    name='appearance',
                    field=models.ForeignKey(db_column='session_participant_id', db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.appearance'),
                ),
                migrations.AddIndex(
                    model_name='recommendationcount',
                    index=models.Index(fields=['appearance', 'recommendation'], name='recommendation_counted'),
                ),
            ],
        ),
    ]
