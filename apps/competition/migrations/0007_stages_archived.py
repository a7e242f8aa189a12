# Stages that are archived take no further session, and many of them may change places in one statement.

from django.db import migrations, models

ARCHIVED = """
CREATE FUNCTION session_stage_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE closed timestamptz;
BEGIN
    SELECT archived_at INTO closed FROM stages WHERE id = NEW.stage_id FOR SHARE;
    IF closed IS NOT NULL THEN
        RAISE EXCEPTION 'stage % is archived', NEW.stage_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'session_stage_is_open', TABLE = 'sessions';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER session_stage_is_open BEFORE INSERT ON sessions
FOR EACH ROW EXECUTE FUNCTION session_stage_is_open();
CREATE TRIGGER session_stage_stays_open BEFORE UPDATE OF stage_id ON sessions
FOR EACH ROW WHEN (NEW.stage_id <> OLD.stage_id) EXECUTE FUNCTION session_stage_is_open();
"""
AS_BEFORE = """
DROP TRIGGER session_stage_is_open ON sessions;
DROP TRIGGER session_stage_stays_open ON sessions;
DROP FUNCTION session_stage_is_open();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0006_performing_times'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='archived_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='stage',
            name='order_number',
            field=models.PositiveSmallIntegerField(),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(deferrable=models.Deferrable['IMMEDIATE'], fields=('order_number',), name='stage_order_once', violation_error_message='This order number is taken by another stage.'),
        ),
        migrations.RunSQL(ARCHIVED, AS_BEFORE),
    ]
