"""The schema of release 1 (ADR 22)."""

import apps.accounts.validators
import apps.core.database.fields
import apps.core.text_rules
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.db.models.lookups
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('accounts', '0002_sessions_answers_avatars'),
        ('accounts', '0003_addresses_without_nul'),
        ('accounts', '0004_mails'),
        ('accounts', '0005_one_time_links'),
        ('accounts', '0006_session_second_factor'),
        ('accounts', '0007_pictures_of_our_own'),
        ('accounts', '0008_usernames_among_lookalikes'),
        ('accounts', '0009_lookups'),
        ('accounts', '0010_dated_by_the_database'),
        ('accounts', '0011_link_next_path'),
        ('accounts', '0012_people'),
    ]

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('username', models.CharField(max_length=20, validators=[apps.accounts.validators.validate_username])),
                ('avatar_url', models.CharField(blank=True, max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host])),
                ('is_admin', models.BooleanField(default=False)),
                ('is_active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_at', apps.core.database.fields.UpdatedAtField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('username_grandfathered', models.BooleanField(db_default=False, default=False, editable=False)),
            ],
            options={
                'db_table': 'users',
                'indexes': [models.Index(django.db.models.functions.text.Upper('email'), name='user_by_email'), models.Index(django.db.models.functions.text.Upper('username'), name='user_by_username'), models.Index(condition=models.Q(('is_admin', True)), fields=['username'], name='user_administrators'), models.Index(fields=['-created_at', '-id'], name='user_newest'), models.Index(condition=models.Q(('is_active', False)), fields=['-created_at', '-id'], name='user_closed')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='email_once_in_any_case', violation_error_code='email_taken', violation_error_message='An account with this e-mail address exists already.'), models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='username_once_in_any_case', violation_error_message='This username is already taken.'), models.CheckConstraint(condition=models.Q(('username__regex', '^[A-Za-z][A-Za-z0-9_-]{2,19}$')), name='username_well_formed'), models.CheckConstraint(condition=models.Q(('email__regex', '^[^@\\s]+@[^@\\s]+$')), name='email_well_formed'), models.CheckConstraint(condition=models.Q(('avatar_url', ''), ('avatar_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='user_avatar_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.'), models.UniqueConstraint(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.Func(django.db.models.functions.text.Lower('username'), models.Value('01i-_'), models.Value('oll'), function='translate', output_field=models.CharField()), models.Value('rn'), models.Value('m')), models.Value('vv'), models.Value('w')), condition=models.Q(('username_grandfathered', False)), name='username_once_among_lookalikes', violation_error_message='This username is already taken.'), models.CheckConstraint(condition=models.Q(('username_grandfathered', True), models.Q(django.db.models.lookups.In(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(models.Func(django.db.models.functions.text.Lower('username'), models.Value('01i-_'), models.Value('oll'), function='translate', output_field=models.CharField()), models.Value('rn'), models.Value('m')), models.Value('vv'), models.Value('w')), ('admln', 'admlnlstrator', 'anonymous', 'everybody', 'formermember', 'guest', 'help', 'jury', 'mall', 'moderator', 'nobody', 'parterre', 'postmaster', 'press', 'root', 'securlty', 'staff', 'support', 'system', 'webmaster')), _negated=True), _connector='OR'), name='username_not_reserved', violation_error_message='This username is reserved. Please choose another one.')],
            },
        ),
        migrations.CreateModel(
            name='AuthSession',
            fields=[
                ('key', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('handle', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('data', models.TextField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expire_date', models.DateTimeField(db_index=True)),
                ('remembered', models.BooleanField(default=False)),
                ('agent', models.CharField(blank=True, max_length=60)),
                ('second_factor', models.BooleanField(db_default=False)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='auth_sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'auth_sessions',
            },
        ),
        migrations.CreateModel(
            name='FormAnswer',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('form', models.CharField(max_length=40)),
                ('data', models.JSONField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True, editable=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='form_answers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'form_answers',
            },
        ),
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('recipient', models.EmailField(max_length=254)),
                ('language', models.CharField(max_length=16)),
                ('context', models.JSONField(default=dict)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'db_table': 'mails',
                'indexes': [models.Index(fields=['due_at', 'id'], name='mails_due')],
            },
        ),
        migrations.CreateModel(
            name='DefaultAvatars',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user_avatar_url', models.CharField(max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host])),
                ('participant_avatar_url', models.CharField(max_length=2048, validators=[django.core.validators.ProhibitNullCharactersValidator('A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.RegexValidator('(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?\\Z)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\Z)', 'A picture needs an https:// address or a static file of this site, such as /static/picture.webp.'), django.core.validators.MaxLengthValidator(2048), apps.core.text_rules.validate_other_host])),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('updated_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'default_avatar_urls',
                'indexes': [models.Index(fields=['-created_at', '-id'], name='default_avatars_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('user_avatar_url', ''), _negated=True), models.Q(('participant_avatar_url', ''), _negated=True)), name='default_avatars_both', violation_error_message='Both default pictures are needed.'), models.CheckConstraint(condition=models.Q(('user_avatar_url', ''), ('user_avatar_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='default_user_avatar_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.'), models.CheckConstraint(condition=models.Q(('participant_avatar_url', ''), ('participant_avatar_url__regex', '(^https://[^\\s/\\"<>\\\\?#\\u0001-\\u001f\\u007f]+([/?#][^\\s"<>\\\\\\u0001-\\u001f\\u007f]*)?$)|(^/static/([A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$)'), _connector='OR'), name='default_participant_avatar_is_picture', violation_error_message='A picture needs an https:// address or a static file of this site.')],
            },
        ),
        migrations.CreateModel(
            name='OneTimeLink',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('purpose', models.CharField(max_length=40)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('next_path', models.CharField(blank=True, db_default='', default='', max_length=2048)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='one_time_links', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'one_time_links',
                'constraints': [models.CheckConstraint(condition=models.Q(('next_path', ''), ('next_path__regex', '^/([^/\\\\]|$)'), _connector='OR'), name='link_leads_to_this_site')],
            },
        ),
    ]
