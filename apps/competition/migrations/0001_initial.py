"""The schema of release 1 (ADR 22)."""

import apps.competition.models
import apps.core.text_rules
import django.core.validators
import django.db.models.constraints
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models

from apps.core.database.sql_files import sql_text


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('competition', '0002_addresses_without_nul'),
        ('competition', '0003_pictures_of_our_own'),
        ('competition', '0004_dated_by_the_database'),
        ('competition', '0005_appearances'),
        ('competition', '0006_performing_times'),
        ('competition', '0007_stages_archived'),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('starts_at', models.DateTimeField(db_index=True)),
                ('description', models.TextField(blank=True)),
                ('youtube_id', models.CharField(blank=True, max_length=11)),
                ('is_live', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'db_table': 'sessions',
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_name', models.CharField(max_length=100)),
                ('second_name', models.CharField(max_length=100)),
                ('name', models.CharField(max_length=201)),
                ('name_folded', models.CharField(editable=False, max_length=1000)),
                ('sort_folded', models.CharField(db_index=True, editable=False, max_length=1000)),
                ('country', models.CharField(max_length=100)),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, null=True, validators=[apps.competition.models.validate_birth_year])),
                ('biography', models.TextField(blank=True)),
                ('avatar_url', models.CharField(blank=True, max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host])),
                ('featured', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'db_table': 'participants',
                'constraints': [models.CheckConstraint(condition=models.Q(('first_name__regex', '^\\S(.*\\S)?$')), name='participant_first_name_written', violation_error_message='First name is required.'), models.CheckConstraint(condition=models.Q(('second_name__regex', '^\\S(.*\\S)?$')), name='participant_second_name_written', violation_error_message='Second name is required.'), models.CheckConstraint(condition=models.Q(('name__regex', '^\\S(.*\\S)?$')), name='participant_name_written', violation_error_message='Name is required.'), models.CheckConstraint(condition=models.Q(('name_folded__regex', '^\\S(.*\\S)?$')), name='participant_name_folded_written', violation_error_message='Name folded is required.'), models.CheckConstraint(condition=models.Q(('sort_folded__regex', '^\\S(.*\\S)?$')), name='participant_sort_folded_written', violation_error_message='Sort folded is required.'), models.CheckConstraint(condition=models.Q(('country__regex', '^\\S(.*\\S)?$')), name='participant_country_written', violation_error_message='Country is required.'), models.CheckConstraint(condition=models.Q(('birth_year__isnull', True), ('birth_year__range', (1900, 2100)), _connector='OR'), name='participant_birth_year_possible', violation_error_message='Birth year must be 1900 or later.'), models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('biography'), 100000), name='participant_biography_length', violation_error_message='Biography must be no more than 100,000 characters long.'), models.CheckConstraint(condition=models.Q(('avatar_url', ''), ('avatar_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='participant_avatar_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.')],
            },
        ),
        migrations.CreateModel(
            name='Piece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('category', models.CharField(choices=[('etiuda_a', 'Etiuda Op. 10'), ('etiuda_b', 'Etiuda Op. 25'), ('nocturn', 'Nokturn'), ('scherzo', 'Scherzo'), ('mazurek', 'Mazurek')], max_length=8)),
                ('composer', models.CharField(blank=True, max_length=100)),
                ('title', models.CharField(blank=True, max_length=100)),
                ('key', models.CharField(blank=True, max_length=30)),
                ('opus', models.CharField(blank=True, max_length=20)),
                ('number', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
            options={
                'db_table': 'pieces',
                'constraints': [models.UniqueConstraint(fields=('category', 'name'), name='piece_once_per_category', violation_error_message='This piece is in the catalogue already.'), models.CheckConstraint(condition=models.Q(('name__regex', '^\\S(.*\\S)?$')), name='piece_name_written', violation_error_message='Name is required.'), models.CheckConstraint(condition=models.Q(('category__in', ['etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'])), name='piece_category_known')],
            },
        ),
        migrations.CreateModel(
            name='SessionParticipant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_number', models.PositiveSmallIntegerField()),
                ('is_performing', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appearances', to='competition.participant')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appearances', to='competition.session')),
            ],
            options={
                'db_table': 'session_participants',
            },
        ),
        migrations.CreateModel(
            name='ProgramEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_number', models.PositiveSmallIntegerField()),
                ('slot', models.CharField(choices=[('etiuda_a', 'Etiuda Op. 10'), ('etiuda_b', 'Etiuda Op. 25'), ('nocturn', 'Nokturn'), ('scherzo', 'Scherzo'), ('mazurek', 'Mazurek')], max_length=8)),
                ('timestamp', models.PositiveIntegerField(blank=True, null=True)),
                ('youtube_url', models.CharField(blank=True, max_length=2048)),
                ('piece', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='competition.piece')),
                ('session_participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='program', to='competition.sessionparticipant')),
            ],
            options={
                'db_table': 'session_participant_pieces',
            },
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
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True)),
                ('order_number', models.PositiveSmallIntegerField()),
                ('field_drawn_at', models.DateTimeField(blank=True, null=True)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'db_table': 'stages',
                'constraints': [models.CheckConstraint(condition=models.Q(('name__regex', '^\\S(.*\\S)?$')), name='stage_name_written', violation_error_message='Name is required.'), models.CheckConstraint(condition=models.Q(('order_number__gte', 1)), name='stage_order_from_one'), models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('order_number',), name='stage_order_once', violation_error_message='This order number is taken by another stage.')],
            },
        ),
        migrations.AddField(
            model_name='session',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='competition.stage'),
        ),
        migrations.CreateModel(
            name='Performance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.CharField(max_length=100)),
                ('performance_date', models.DateField()),
                ('program', models.TextField(blank=True)),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='performances', to='competition.participant')),
            ],
            options={
                'db_table': 'performances',
                'constraints': [models.CheckConstraint(condition=models.Q(('stage__regex', '^\\S(.*\\S)?$')), name='performance_stage_written', violation_error_message='Stage is required.'), models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('program'), 5000), name='performance_program_length', violation_error_message='Program must be no more than 5,000 characters long.')],
            },
        ),
        migrations.AddConstraint(
            model_name='sessionparticipant',
            constraint=models.UniqueConstraint(fields=('session', 'participant'), name='participant_once_per_session', violation_error_message='This participant has a place in the session already.'),
        ),
        migrations.AddConstraint(
            model_name='sessionparticipant',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('session', 'order_number'), name='place_order_once_per_session', violation_error_message='This order number is taken in the session.'),
        ),
        migrations.AddConstraint(
            model_name='sessionparticipant',
            constraint=models.UniqueConstraint(condition=models.Q(('is_performing', True)), fields=('session',), name='one_performer_per_session', violation_error_message='Somebody else is on stage.'),
        ),
        migrations.AddConstraint(
            model_name='sessionparticipant',
            constraint=models.CheckConstraint(condition=models.Q(('order_number__gte', 1)), name='place_order_from_one'),
        ),
        migrations.AddConstraint(
            model_name='programentry',
            constraint=models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['IMMEDIATE'], fields=('session_participant', 'order_number'), name='entry_order_once_per_place', violation_error_message='This order number is taken in the program.'),
        ),
        migrations.AddConstraint(
            model_name='programentry',
            constraint=models.CheckConstraint(condition=models.Q(('order_number__gte', 1)), name='entry_order_from_one'),
        ),
        migrations.AddConstraint(
            model_name='programentry',
            constraint=models.CheckConstraint(condition=models.Q(('slot__in', ['etiuda_a', 'etiuda_b', 'nocturn', 'scherzo', 'mazurek'])), name='entry_slot_known'),
        ),
        migrations.AddConstraint(
            model_name='programentry',
            constraint=models.CheckConstraint(condition=models.Q(('youtube_url', ''), ('youtube_url__regex', '^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$'), _connector='OR'), name='entry_link_is_https', violation_error_message='A link begins with https://.'),
        ),
        migrations.AddConstraint(
            model_name='performingtime',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('session_participant',), name='one_performing_time_lasts'),
        ),
        migrations.AddConstraint(
            model_name='performingtime',
            constraint=models.CheckConstraint(condition=models.Q(('ended_at__gte', models.F('began_at'))), name='performing_time_ends_after_begin'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('title__regex', '^\\S(.*\\S)?$')), name='session_title_written', violation_error_message='Title is required.'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(condition=models.Q(('is_live', True)), fields=('is_live',), name='one_live_session', violation_error_message='Another session is live.'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('youtube_id', ''), ('youtube_id__regex', '^[A-Za-z0-9_-]{11}$'), _connector='OR'), name='session_video_well_formed', violation_error_message='A YouTube video has an id of 11 letters, digits, hyphens or underscores.'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('description'), 5000), name='session_description_length', violation_error_message='Description must be no more than 5,000 characters long.'),
        ),
        migrations.RunSQL(sql_text('competition', 'session_stage_is_open'), 'DROP FUNCTION session_stage_is_open() CASCADE'),
    ]
