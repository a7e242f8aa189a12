"""What accounts are found by: names and addresses in any case ("iexact" compares upper case), and administrators."""

import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0008_usernames_among_lookalikes'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='defaultavatars',
            index=models.Index(fields=['-created_at', '-id'], name='default_avatars_newest'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(django.db.models.functions.text.Upper('email'), name='user_by_email'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(django.db.models.functions.text.Upper('username'), name='user_by_username'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_admin', True)), fields=['username'], name='user_administrators'),
        ),
    ]
