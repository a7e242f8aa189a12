"""What the audit and the error log are narrowed by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0007_rows_count'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['user_id', '-created_at', '-id'], name='audit_of_user_id'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['action', '-created_at', '-id'], name='audit_of_action'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['subject', '-created_at', '-id'], name='audit_of_subject'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(condition=models.Q(('action__endswith', '.delete')), fields=['subject', 'subject_id'], name='audit_of_deleted'),
        ),
        migrations.AddIndex(
            model_name='errorlog',
            index=models.Index(fields=['severity', '-id'], name='error_by_severity'),
        ),
    ]
