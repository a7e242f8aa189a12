"""The schema of release 1 (ADR 22)."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from apps.core.database.sql_files import sql_text


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('core', '0002_acts'),
        ('core', '0003_counters'),
        ('core', '0004_audit'),
        ('core', '0005_audit_by_subject'),
        ('core', '0006_audit_prune'),
        ('core', '0007_rows_count'),
        ('core', '0008_lookups'),
        ('core', '0009_dated_by_the_database'),
        ('core', '0010_command_answer'),
        ('core', '0011_rate_limits'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('key', models.CharField(max_length=250, primary_key=True, serialize=False)),
                ('value', models.JSONField()),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'db_table': 'counters',
            },
        ),
        migrations.CreateModel(
            name='RateLimitUse',
            fields=[
                ('pk', models.CompositePrimaryKey('subject', 'name', blank=True, editable=False, primary_key=True, serialize=False)),
                ('subject', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=60)),
                ('back_at', django.contrib.postgres.fields.ArrayField(base_field=models.DateTimeField(), size=None)),
                ('allowed', models.BooleanField()),
            ],
            options={
                'db_table': 'rate_limits',
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user_id', models.BigIntegerField(blank=True, null=True)),
                ('action', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=60)),
                ('subject_id', models.BigIntegerField(blank=True, null=True)),
                ('details', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
            ],
            options={
                'db_table': 'audit_entries',
                'indexes': [models.Index(fields=['subject', 'subject_id'], name='audit_by_subject'), models.Index(fields=['user_id', '-created_at', '-id'], name='audit_of_user_id'), models.Index(fields=['action', '-created_at', '-id'], name='audit_of_action'), models.Index(fields=['subject', '-created_at', '-id'], name='audit_of_subject'), models.Index(condition=models.Q(('action__endswith', '.delete')), fields=['subject', 'subject_id'], name='audit_of_deleted')],
            },
        ),
        migrations.CreateModel(
            name='ErrorLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.CharField(max_length=2000)),
                ('error_details', models.TextField(blank=True, null=True)),
                ('user_id', models.BigIntegerField(blank=True, null=True)),
                ('page_url', models.CharField(blank=True, max_length=2048)),
                ('user_agent', models.CharField(blank=True, max_length=500)),
                ('severity', models.CharField(choices=[('info', 'Info'), ('warn', 'Warn'), ('error', 'Error'), ('critical', 'Critical')], default='error', max_length=8)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
            ],
            options={
                'db_table': 'error_logs',
                'indexes': [models.Index(fields=['severity', '-id'], name='error_by_severity')],
                'constraints': [models.CheckConstraint(condition=models.Q(('severity__in', ['info', 'warn', 'error', 'critical'])), name='error_severity_known')],
            },
        ),
        migrations.CreateModel(
            name='CommandAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField()),
                ('name', models.CharField(max_length=100)),
                ('answer', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'acts',
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='act_once_per_person_and_key')],
            },
        ),
        migrations.RunSQL(sql_text('core', 'audit_prune'), 'DROP FUNCTION public.audit_prune()'),
        migrations.RunSQL(sql_text('core', 'rows_count'), 'DROP FUNCTION rows_count()'),
    ]
