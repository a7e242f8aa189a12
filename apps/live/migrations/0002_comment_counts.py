"""How many comments each session has, kept by PostgreSQL (`apps/core/database/paging.py`)."""

import django.db.models.deletion
from django.db import migrations, models

from apps.core.database.paging import counting_sql


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0007_rows_count'),
        ('competition', '0002_addresses_without_nul'),
        ('live', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CommentCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('count', models.BigIntegerField()),
                ('session', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'session_comment_counts',
                'indexes': [models.Index(fields=['session'], name='comment_count_of_session')],
            },
        ),
        migrations.RunSQL(*counting_sql('session_comments', 'session_comment_counts', 'session_id')),
    ]
