"""The setting that approves piece ratings at once, and when a moderator last rejected marks of a rating."""

from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = "The constraint is of a new table."
# Since when is unknown: they count as rejected now.
REJECTED = """
UPDATE rating_drafts AS sheet SET rejected_at = now()
WHERE is_rejected OR EXISTS (SELECT FROM draft_marks WHERE draft_id = sheet.id AND is_rejected);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0020_deciding_choices'),
    ]

    operations = [
        migrations.CreateModel(
            name='ApprovalSetting',
            fields=[
                ('id', models.PositiveSmallIntegerField(db_default=1, default=1, primary_key=True, serialize=False)),
                ('pieces_at_once', models.BooleanField(db_default=False)),
            ],
            options={
                'db_table': 'approval_settings',
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('id', 1)), name='approval_setting_one_row'),
                ],
            },
        ),
        migrations.AddField(
            model_name='ratingdraft',
            name='rejected_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL(REJECTED, migrations.RunSQL.noop),
    ]
