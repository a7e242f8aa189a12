# When who was on stage. Of a session that is live during the upgrade, those up to the performer have been there.

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

LIVE = """
INSERT INTO performing_times (session_participant_id, began_at, ended_at)
SELECT played.id, least(sessions.starts_at, now()), CASE WHEN played.is_performing THEN NULL ELSE now() END
FROM sessions
JOIN session_participants AS performer ON performer.session_id = sessions.id AND performer.is_performing
JOIN session_participants AS played ON played.session_id = sessions.id
WHERE sessions.is_live AND played.order_number <= performer.order_number
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0005_appearances'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='field_drawn_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='PerformingTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('session_participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='times', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'performing_times',
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('session_participant',), name='one_performing_time_lasts'), models.CheckConstraint(condition=models.Q(('ended_at__gte', models.F('began_at'))), name='performing_time_ends_after_begin')],
            },
        ),
        migrations.RunSQL(LIVE, migrations.RunSQL.noop),
    ]
