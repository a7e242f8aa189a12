"""Runs, rows and accounts of version 2 of the method; releases become decisions, which also leave accounts out."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

BESIDE_THE_VERSION_BEFORE = (
    "It reads and writes releases in the view of the old name, and runs of version 1, which the constraints allow. "
    "Closing a ranking of version 2 answers with an error there."
)
# The version before inserts and deletes releases here; the view is dropped with the release after this one. Roles get
# their rights in the same transaction: the serving role would be refused until `post_migrate` grants them.
VIEW = """
CREATE VIEW ranking_releases AS
SELECT id, user_id, stage_id, decided_by_id AS released_by_id, reason, created_at
FROM ranking_decisions WHERE NOT is_left_out;
DO $$
DECLARE role name;
BEGIN
    FOR role IN
        SELECT DISTINCT pg_get_userbyid(entry.grantee)
        FROM pg_class, aclexplode(relacl) AS entry
        WHERE oid = 'ranking_decisions'::regclass AND entry.grantee <> 0
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ranking_releases TO %I', role);
    END LOOP;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ranking', '0003_repeated'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel('RankingRelease', 'RankingDecision'),
        migrations.AlterModelTable('RankingDecision', 'ranking_decisions'),
        migrations.RenameField('RankingDecision', 'released_by', 'decided_by'),
        migrations.AddField(
            'RankingDecision', 'is_left_out', models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(VIEW, 'DROP VIEW ranking_releases'),
        migrations.AddField('RankingRun', 'number', models.PositiveIntegerField(null=True)),
        migrations.AddField('RankingRun', 'input_digest', models.CharField(max_length=64, null=True)),
        migrations.AddField('RankingRun', 'sheets', models.PositiveIntegerField(null=True)),
        migrations.AddField('RankingRun', 'secret', models.BinaryField(null=True)),
        migrations.AddField('RankingRun', 'left_out', models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AddField('RankingRun', 'counting_since', models.DateTimeField(null=True)),
        migrations.AddConstraint(
            'RankingRun', models.UniqueConstraint(fields=['stage', 'number'], name='ranking_numbered_once'),
        ),
        migrations.AddConstraint(
            'RankingRun',
            models.CheckConstraint(
                condition=Q(method=1, number=None, input_digest=None, sheets=None, secret=None)
                | Q(method__gte=2, number__gte=1, input_digest__regex='^[0-9a-f]{64}$', sheets__isnull=False),
                name='ranking_run_of_its_method',
            ),
        ),
        migrations.AddConstraint(
            'RankingRun',
            models.CheckConstraint(
                condition=Q(is_final=False) | Q(secret=None), name='ranking_final_without_secret',
            ),
        ),
        migrations.AlterField(
            'RankingRow', 'mean', models.DecimalField(decimal_places=2, max_digits=4, null=True),
        ),
        migrations.RemoveConstraint('RankingRow', 'ranking_row_in_scale'),
        migrations.AddConstraint(
            'RankingRow',
            models.CheckConstraint(
                condition=Q(mean__isnull=False, mean__range=(1.0, 25.0), raters__gte=1)
                | Q(mean__isnull=True, rank__isnull=True, raters__lt=10),
                name='ranking_row_in_scale',
            ),
        ),
        migrations.AddField('RankingRow', 'late', models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            'RankingRow',
            models.CheckConstraint(
                condition=Q(late__isnull=True) | Q(rank__isnull=False, late__lte=F('raters')),
                name='ranking_row_late_few',
            ),
        ),
        migrations.CreateModel(
            name='RankingMissingSheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rater', models.PositiveIntegerField()),
                ('hash', models.CharField(blank=True, max_length=64)),
                (
                    'run',
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='missing_sheets',
                        to='ranking.rankingrun',
                    ),
                ),
            ],
            options={
                'db_table': 'ranking_missing_sheets',
                'constraints': [
                    models.UniqueConstraint(fields=['run', 'rater'], name='ranking_sheet_missing_once'),
                    models.CheckConstraint(
                        condition=Q(hash='') | Q(hash__regex='^[0-9a-f]{64}$'), name='ranking_sheet_hash_well_formed',
                    ),
                ],
            },
        ),
        migrations.AddField(
            'RankingAccount', 'quarters', models.PositiveSmallIntegerField(db_default=4, default=4),
        ),
        migrations.AddField('RankingAccount', 'why', models.JSONField(null=True)),
        migrations.AddField('RankingAccount', 'rater', models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            'RankingAccount',
            models.CheckConstraint(condition=Q(quarters__in=[0, 1, 2, 4]), name='ranking_account_weight_known'),
        ),
    ]
