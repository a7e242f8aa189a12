"""A run counts the marks of repeated performances, which are not ranked."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ranking', '0002_accounts'),
    ]

    operations = [
        migrations.AddField(
            model_name='rankingrun',
            name='repeated',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
