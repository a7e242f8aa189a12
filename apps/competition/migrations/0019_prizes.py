"""The prizes of a stage, prepared as a draft and published as a whole."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = "It adds empty tables that the version before does not read."
UNDO = 'DROP FUNCTION prize_of_performer() CASCADE; ALTER TABLE prize_recipients DROP CONSTRAINT recipient_as_its_prize'


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0018_session_withdrawals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PrizeList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('published', 'Published'), ('replaced', 'Replaced')], max_length=10)),
                ('published_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('stage', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prize_lists', to='competition.stage')),
            ],
            options={
                'db_table': 'prize_lists',
            },
        ),
        migrations.CreateModel(
            name='Prize',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order_number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=100)),
                ('kind', models.CharField(choices=[('place', 'Prize'), ('distinction', 'Distinction'), ('special', 'Special prize')], max_length=11)),
                ('award', models.CharField(choices=[('single', 'To one performer'), ('shared', 'Shared by several'), ('none', 'Not awarded')], max_length=6)),
                ('list', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='prizes', to='competition.prizelist')),
            ],
            options={
                'db_table': 'prizes',
            },
        ),
        migrations.CreateModel(
            name='PrizeRecipient',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('place', 'Prize'), ('distinction', 'Distinction'), ('special', 'Special prize')], max_length=11)),
                ('award', models.CharField(choices=[('single', 'To one performer'), ('shared', 'Shared by several'), ('none', 'Not awarded')], max_length=6)),
                ('list', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.prizelist')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='competition.participant')),
                ('prize', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='recipients', to='competition.prize')),
            ],
            options={
                'db_table': 'prize_recipients',
            },
        ),
        migrations.AddConstraint(
            model_name='prizelist',
            constraint=models.UniqueConstraint(fields=('stage', 'state'), name='prize_list_once_in_a_state'),
        ),
        migrations.AddConstraint(
            model_name='prizelist',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'published', 'replaced'])), name='prize_list_state_known'),
        ),
        migrations.AddConstraint(
            model_name='prizelist',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('published_at', None), ('state', 'draft')), models.Q(models.Q(('state', 'draft'), _negated=True), ('published_at__isnull', False)), _connector='OR'), name='prize_list_published_with_time'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.UniqueConstraint(fields=('list', 'order_number'), name='prize_number_once'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.UniqueConstraint(models.F('list'), django.db.models.functions.text.Lower('name'), name='prize_name_once'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.UniqueConstraint(fields=('id', 'list', 'kind', 'award'), name='prize_of_recipient_key'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(('order_number__gte', 1)), name='prize_number_from_one'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='prize_has_name'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['place', 'distinction', 'special'])), name='prize_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='prize',
            constraint=models.CheckConstraint(condition=models.Q(('award__in', ['single', 'shared', 'none'])), name='prize_award_known'),
        ),
        migrations.AddConstraint(
            model_name='prizerecipient',
            constraint=models.UniqueConstraint(fields=('prize', 'participant'), name='prize_received_once'),
        ),
        migrations.AddConstraint(
            model_name='prizerecipient',
            constraint=models.UniqueConstraint(condition=models.Q(('award', 'single')), fields=('prize',), name='one_recipient_unless_shared'),
        ),
        migrations.AddConstraint(
            model_name='prizerecipient',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'place')), fields=('list', 'participant'), name='one_place_for_a_performer'),
        ),
        migrations.AddConstraint(
            model_name='prizerecipient',
            constraint=models.CheckConstraint(condition=models.Q(('award', 'none'), _negated=True), name='no_recipient_if_not_awarded'),
        ),
        migrations.RunSQL(sql_text('competition', 'prize_of_performer'), UNDO),
    ]
