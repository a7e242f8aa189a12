"""The schema of release 1 (ADR 22)."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('imports', '0001_program_texts'),
        ('imports', '0002_participant_files'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ParticipantImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=200)),
                ('content', models.BinaryField(max_length=5242880)),
                ('size', models.PositiveIntegerField()),
                ('encoding', models.CharField(choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250'), ('windows-1252', 'Windows-1252')], max_length=12)),
                ('encoding_found', models.CharField(choices=[('utf-8', 'UTF-8'), ('utf-16', 'UTF-16'), ('windows-1250', 'Windows-1250'), ('windows-1252', 'Windows-1252')], max_length=12)),
                ('categories', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('preview', 'Preview'), ('saved', 'Saved'), ('undone', 'Taken back')], default='preview', max_length=7)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('saved_at', models.DateTimeField(null=True)),
                ('new_rows', models.PositiveIntegerField(default=0)),
                ('existing_rows', models.PositiveIntegerField(default=0)),
                ('undecided_rows', models.PositiveIntegerField(default=0)),
                ('bad_rows', models.PositiveIntegerField(default=0)),
                ('short_rows', models.PositiveIntegerField(default=0)),
                ('new_participants', models.PositiveIntegerField(default=0)),
                ('existing_participants', models.PositiveIntegerField(default=0)),
                ('new_pieces', models.PositiveIntegerField(default=0)),
                ('existing_pieces', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'participant_imports',
            },
        ),
        migrations.CreateModel(
            name='ImportCreation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('participant', 'Participant'), ('piece', 'Piece')], max_length=11)),
                ('created_id', models.BigIntegerField()),
                ('version', models.CharField(max_length=400)),
                ('participant_import', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='creations', to='imports.participantimport')),
            ],
            options={
                'db_table': 'participant_import_creations',
            },
        ),
        migrations.CreateModel(
            name='ParticipantImportRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('line', models.PositiveIntegerField()),
                ('first_name', models.CharField(blank=True, max_length=100)),
                ('last_name', models.CharField(blank=True, max_length=100)),
                ('country', models.CharField(blank=True, max_length=100)),
                ('pieces', models.JSONField(default=list)),
                ('status', models.CharField(choices=[('new', 'New'), ('existing', 'Existing, kept as it is'), ('undecided', 'To decide'), ('bad', 'Bad'), ('short', 'Skipped')], max_length=9)),
                ('is_known', models.BooleanField(default=False)),
                ('problem', models.CharField(blank=True, choices=[('', ''), ('piece', 'Invalid piece format'), ('piece_key', 'Invalid piece format: it does not fit opus and number'), ('piece_several', 'Invalid piece format: several pieces fit'), ('name_missing', 'First name, last name and country are required.'), ('name_long', 'A name or country is too long.'), ('name_unreadable', 'This name has no letters to search for.'), ('columns', 'Fewer columns than the header'), ('repeated', 'The same as an earlier line')], max_length=15)),
                ('detail', models.CharField(blank=True, max_length=250)),
                ('participant_import', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='imports.participantimport')),
            ],
            options={
                'db_table': 'participant_import_rows',
            },
        ),
        migrations.CreateModel(
            name='ProgramText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'program_texts',
            },
        ),
        migrations.AddIndex(
            model_name='participantimport',
            index=models.Index(condition=models.Q(('saved_at__isnull', False)), fields=['-saved_at', '-id'], name='participant_import_saved'),
        ),
        migrations.AddIndex(
            model_name='participantimport',
            index=models.Index(condition=models.Q(('state', 'preview')), fields=['user', '-id'], name='participant_import_preview'),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(('size__lte', 5242880)), name='participant_import_size'),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(('encoding__in', ['utf-8', 'utf-16', 'windows-1250', 'windows-1252']), ('encoding_found__in', ['utf-8', 'utf-16', 'windows-1250', 'windows-1252'])), name='participant_import_encoding_known'),
        ),
        migrations.AddConstraint(
            model_name='participantimport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('saved_at__isnull', True), ('state', 'preview')), models.Q(('saved_at__isnull', False), ('state__in', ('saved', 'undone'))), _connector='OR'), name='participant_import_saved_when'),
        ),
        migrations.AddConstraint(
            model_name='importcreation',
            constraint=models.UniqueConstraint(fields=('participant_import', 'kind', 'created_id'), name='participant_import_creation_once'),
        ),
        migrations.AddConstraint(
            model_name='importcreation',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['participant', 'piece'])), name='participant_import_creation_kind'),
        ),
        migrations.AddConstraint(
            model_name='participantimportrow',
            constraint=models.UniqueConstraint(fields=('participant_import', 'position'), name='participant_import_row_once'),
        ),
        migrations.AddConstraint(
            model_name='participantimportrow',
            constraint=models.CheckConstraint(condition=models.Q(('position__gte', 1), ('position__lte', 10000)), name='participant_import_row_position'),
        ),
        migrations.AddConstraint(
            model_name='participantimportrow',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['new', 'existing', 'undecided', 'bad', 'short'])), name='participant_import_row_status'),
        ),
        migrations.AddConstraint(
            model_name='participantimportrow',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status__in', ('bad', 'short')), _negated=True), models.Q(('problem', ''), _negated=True), _connector='OR'), name='participant_import_row_says_why'),
        ),
        migrations.AddConstraint(
            model_name='programtext',
            constraint=models.CheckConstraint(condition=models.Q(('text__regex', '^\\S(.*\\S)?$')), name='program_text_written', violation_error_message='Text is required.'),
        ),
        migrations.AddConstraint(
            model_name='programtext',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('text'), 20000), name='program_text_length', violation_error_message='Text must be no more than 20,000 characters long.'),
        ),
    ]
