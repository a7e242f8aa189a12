"""A one-time link keeps the address that it was made for."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='onetimelink',
            name='email',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254),
        ),
    ]
