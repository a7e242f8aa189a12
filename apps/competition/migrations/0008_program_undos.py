"""What changes of programs took away, kept for minutes."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProgramUndo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('removal', 'removal'), ('assignment', 'assignment')], max_length=10)),
                ('content', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.session')),
            ],
            options={
                'db_table': 'program_undos',
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['removal', 'assignment'])), name='program_undo_kind')],
            },
        ),
    ]
