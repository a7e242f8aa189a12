"""Followers are notified of prizes, if they choose it."""

from django.db import migrations, models

from apps.core.database.sql_files import sql_text

BESIDE_THE_VERSION_BEFORE = (
    "A column with a default, and one kind more. Only the new version stores it, after prizes are published."
)
KINDS = ['soon', 'now', 'moved', 'advanced', 'prizes', 'undone']
FORGET = "DELETE FROM notifications WHERE kind = 'prizes'"


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0019_prizes'),
        ('notifications', '0002_calls_taken_back'),
    ]

    operations = [
        migrations.AddField(
            model_name='notificationpreference',
            name='prizes',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_kind_known',
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('soon', 'Soon on stage'), ('now', 'On stage now'), ('moved', 'Moved or withdrawn'), ('advanced', 'Advances to the next stage'), ('prizes', 'Receives a prize'), ('undone', 'Called by mistake')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', KINDS)), name='notification_kind_known'),
        ),
        migrations.RunSQL(
            sql_text('notifications', 'announcement_of_prizes'),
            'DROP FUNCTION announcement_of_prizes() CASCADE',
        ),
    ]
