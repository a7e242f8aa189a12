"""A call that was taken back is announced, and its followers are corrected."""

from django.conf import settings
from django.db import migrations, models

BESIDE_THE_VERSION_BEFORE = (
    "The constraints allow one value more. Only the new version stores it, after a call was taken back in a live "
    "session, and an upgrade is not made during one."
)
FORGET = """
DELETE FROM notifications WHERE kind = 'undone';
DELETE FROM announcements WHERE change = 'undone';
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0017_stage_programs'),
        ('notifications', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='announcement',
            name='announcement_change_known',
        ),
        migrations.RemoveConstraint(
            model_name='announcement',
            name='announcement_has_its_subject',
        ),
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_kind_known',
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET),
        migrations.AlterField(
            model_name='announcement',
            name='change',
            field=models.CharField(choices=[('stage', 'Stage'), ('planned', 'Planned'), ('moved', 'Moved'), ('outcome', 'Outcome'), ('undone', 'Undone')], max_length=8),
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('soon', 'Soon on stage'), ('now', 'On stage now'), ('moved', 'Moved or withdrawn'), ('advanced', 'Advances to the next stage'), ('undone', 'Called by mistake')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(('change__in', ['stage', 'planned', 'moved', 'outcome', 'undone'])), name='announcement_change_known'),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('change', 'outcome'), ('participant_id', None), ('session_id', None), ('stage_id__isnull', False)), models.Q(('change', 'stage'), ('participant_id', None), ('session_id__isnull', False), ('stage_id', None)), models.Q(('change__in', ['planned', 'moved', 'undone']), ('participant_id__isnull', False), ('session_id__isnull', False), ('stage_id', None)), _connector='OR'), name='announcement_has_its_subject'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['soon', 'now', 'moved', 'advanced', 'undone'])), name='notification_kind_known'),
        ),
    ]
