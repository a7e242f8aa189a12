"""Announcements, notifications, push subscriptions and the choices of members."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from apps.core.database.sql_files import sql_text

UNDO = (
    'DROP FUNCTION announcement_of_stage() CASCADE; DROP FUNCTION announcement_of_order() CASCADE;'
    'DROP FUNCTION announcement_of_plan() CASCADE;'
    'DROP FUNCTION announcement_of_outcome() CASCADE; DROP FUNCTION announcement_add(text, bigint, bigint, bigint, jsonb);'
    'DROP FUNCTION push_subscriptions_end() CASCADE'
)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0014_site_contact'),
        ('competition', '0014_calendar_entries'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('change', models.CharField(choices=[('stage', 'Stage'), ('planned', 'Planned'), ('moved', 'Moved'), ('outcome', 'Outcome')], max_length=8)),
                ('stage_id', models.BigIntegerField(null=True)),
                ('session_id', models.BigIntegerField(null=True)),
                ('participant_id', models.BigIntegerField(null=True)),
                ('before', models.JSONField(null=True)),
                ('due_at', models.DateTimeField()),
                ('taken_until', models.DateTimeField(null=True)),
                ('tries', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('finished_at', models.DateTimeField(null=True)),
            ],
            options={
                'db_table': 'announcements',
                'indexes': [models.Index(condition=models.Q(('finished_at', None)), fields=['due_at', 'id'], name='announcements_due'), models.Index(condition=models.Q(('finished_at__isnull', False)), fields=['finished_at'], name='announcements_finished')],
                'constraints': [models.CheckConstraint(condition=models.Q(('change__in', ['stage', 'planned', 'moved', 'outcome'])), name='announcement_change_known'), models.UniqueConstraint(condition=models.Q(('finished_at', None), ('taken_until', None)), fields=('change', 'stage_id', 'session_id', 'participant_id'), name='announcement_waits_once', nulls_distinct=False), models.UniqueConstraint(condition=models.Q(('change', 'planned')), fields=('session_id', 'participant_id'), name='planned_start_announced_once'), models.CheckConstraint(condition=models.Q(models.Q(('change', 'outcome'), ('participant_id', None), ('session_id', None), ('stage_id__isnull', False)), models.Q(('change', 'stage'), ('participant_id', None), ('session_id__isnull', False), ('stage_id', None)), models.Q(('change__in', ['planned', 'moved']), ('participant_id__isnull', False), ('session_id__isnull', False), ('stage_id', None)), _connector='OR'), name='announcement_has_its_subject')],
            },
        ),
        migrations.CreateModel(
            name='NotificationPreference',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('soon', models.BooleanField(db_default=True, default=True)),
                ('now', models.BooleanField(db_default=True, default=True)),
                ('moved', models.BooleanField(db_default=True, default=True)),
                ('advanced', models.BooleanField(db_default=False, default=False)),
                ('mail', models.CharField(choices=[('never', 'Never'), ('at_once', 'At once'), ('daily', 'Once a day')], db_default='never', default='never', max_length=8)),
                ('mail_hour', models.PositiveSmallIntegerField(db_default=8, default=8)),
                ('quiet_from', models.TimeField(blank=True, null=True)),
                ('quiet_until', models.TimeField(blank=True, null=True)),
                ('time_zone', models.CharField(blank=True, db_default='', default='', max_length=64)),
            ],
            options={
                'db_table': 'notification_preferences',
                'constraints': [models.CheckConstraint(condition=models.Q(('mail__in', ['never', 'at_once', 'daily'])), name='notification_mail_known'), models.CheckConstraint(condition=models.Q(('mail_hour__range', (0, 23))), name='notification_mail_hour_possible'), models.CheckConstraint(condition=models.Q(models.Q(('quiet_from', None), ('quiet_until', None)), models.Q(('quiet_from__isnull', False), ('quiet_until__isnull', False), models.Q(('quiet_from', models.F('quiet_until')), _negated=True)), _connector='OR'), name='quiet_hours_have_two_ends', violation_error_message='Quiet hours need a beginning and a different end.')],
            },
        ),
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('soon', 'Soon on stage'), ('now', 'On stage now'), ('moved', 'Moved or withdrawn'), ('advanced', 'Advances to the next stage')], max_length=8)),
                ('occasion', models.CharField(max_length=60)),
                ('session_id', models.BigIntegerField(null=True)),
                ('stage_id', models.BigIntegerField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('expires_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField(null=True)),
                ('push_due_at', models.DateTimeField(null=True)),
                ('push_tries', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('pushed_to', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), db_default=[], default=list, size=None)),
                ('mail_due_at', models.DateTimeField(null=True)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.participant')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'notifications',
                'indexes': [models.Index(condition=models.Q(('seen_at', None)), fields=['user', 'expires_at'], name='notifications_unseen'), models.Index(condition=models.Q(('push_due_at__isnull', False)), fields=['push_due_at', 'id'], name='pushes_due'), models.Index(condition=models.Q(('mail_due_at__isnull', False)), fields=['mail_due_at', 'user'], name='notices_due'), models.Index(fields=['created_at'], name='notifications_by_age')],
                'constraints': [models.UniqueConstraint(fields=('user', 'kind', 'participant', 'occasion'), name='notified_once_of_an_occasion'), models.CheckConstraint(condition=models.Q(('kind__in', ['soon', 'now', 'moved', 'advanced'])), name='notification_kind_known'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='notification_lasts')],
            },
        ),
        migrations.CreateModel(
            name='PushSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_handle', models.UUIDField(unique=True)),
                ('endpoint', models.CharField(max_length=1000, unique=True)),
                ('p256dh', models.CharField(max_length=200)),
                ('auth', models.CharField(max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('paused_until', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'push_subscriptions',
                'constraints': [models.CheckConstraint(condition=models.Q(('endpoint__startswith', 'https://')), name='push_endpoint_is_secure')],
            },
        ),
        migrations.RunSQL(sql_text('notifications', 'announcements') + sql_text('notifications', 'push_subscriptions'), UNDO),
    ]
