"""The list of all accounts, the newest first."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0011_link_next_path'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='user',
            index=models.Index(fields=['-created_at', '-id'], name='user_newest'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_active', False)), fields=['-created_at', '-id'], name='user_closed'),
        ),
    ]
