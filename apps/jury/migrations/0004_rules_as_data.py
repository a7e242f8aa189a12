"""Rules of a jury as data: the stages' methods and scales, rounding, the rule in force; wider figures."""

from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = (
    "PostgreSQL widens a numeric column without reading rows. The version before writes one rule, which all constraints "
    "allow, leaves the new columns to the database, and never changes a rule. Of a sheet with another rule it shows the "
    "stored figures."
)
DROP = "DROP FUNCTION jury_rule_is_kept() CASCADE; DROP FUNCTION jury_stages_are_whole(jsonb, jsonb, jsonb, integer);"

class Migration(migrations.Migration):

    dependencies = [
        ('jury', '0003_places_of_several_competitions'),
    ]

    operations = [
        migrations.RunSQL(sql_text('jury', 'jury_rules'), DROP),
        migrations.RemoveConstraint(
            model_name='juryrule',
            name='jury_rule_scale',
        ),
        migrations.AddField(
            model_name='juryrule',
            name='is_current',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='juryrule',
            name='rounding',
            field=models.CharField(db_default='half_up', default='half_up', max_length=9),
        ),
        migrations.AddField(
            model_name='juryrule',
            name='stages',
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AlterField(
            model_name='jurymark',
            name='score',
            field=models.DecimalField(decimal_places=2, max_digits=5, null=True),
        ),
        migrations.AlterField(
            model_name='juryresult',
            name='cumulated',
            field=models.DecimalField(decimal_places=2, max_digits=9, null=True),
        ),
        migrations.AlterField(
            model_name='juryresult',
            name='mean',
            field=models.DecimalField(decimal_places=2, max_digits=9, null=True),
        ),
        migrations.AlterField(
            model_name='juryresult',
            name='official',
            field=models.DecimalField(decimal_places=2, max_digits=9, null=True),
        ),
        migrations.AlterField(
            model_name='juryresult',
            name='official_cumulated',
            field=models.DecimalField(decimal_places=2, max_digits=9, null=True),
        ),
        migrations.AlterField(
            model_name='juryresult',
            name='score',
            field=models.DecimalField(decimal_places=2, max_digits=9, null=True),
        ),
        migrations.AlterField(
            model_name='juryrule',
            name='highest',
            field=models.DecimalField(decimal_places=2, max_digits=5),
        ),
        migrations.AlterField(
            model_name='juryrule',
            name='lowest',
            field=models.DecimalField(decimal_places=2, max_digits=5),
        ),
        migrations.AddConstraint(
            model_name='juryrule',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('is_current',), name='jury_rule_current_once'),
        ),
        migrations.AddConstraint(
            model_name='juryrule',
            constraint=models.CheckConstraint(condition=models.Q(('highest__lte', 100), ('lowest__gte', 0), ('lowest__lt', models.F('highest'))), name='jury_rule_scale'),
        ),
        migrations.AddConstraint(
            model_name='juryrule',
            constraint=models.CheckConstraint(condition=models.Q(('decimals__lte', 2), ('rounding__in', ['half_up', 'half_even', 'down'])), name='jury_rule_rounds'),
        ),
        migrations.AddConstraint(
            model_name='juryrule',
            constraint=models.CheckConstraint(condition=models.Func(models.F('distances'), models.F('weights'), models.F('stages'), models.Value(6), function='jury_stages_are_whole', output_field=models.BooleanField()), name='jury_rule_stages'),
        ),
    ]
