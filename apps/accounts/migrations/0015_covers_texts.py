"""The choice that covers texts about performances, off for every account."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_site_contact'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='covers_texts',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
