# Taps by second, for curves along performances. Those of earlier evenings are counted once.

import django.db.models.deletion
from django.db import migrations, models

SO_FAR = """
INSERT INTO session_reaction_moments (session_id, second, count)
SELECT session_id, timestamp / 1000, count(*) FROM session_reactions GROUP BY session_id, timestamp / 1000
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0006_performing_times'),
        ('live', '0005_hidden_comments'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReactionMoment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('second', models.BigIntegerField()),
                ('count', models.PositiveIntegerField()),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'session_reaction_moments',
                'constraints': [models.UniqueConstraint(fields=('session', 'second'), name='reaction_moment_once')],
            },
        ),
        migrations.RunSQL(SO_FAR, migrations.RunSQL.noop),
    ]
