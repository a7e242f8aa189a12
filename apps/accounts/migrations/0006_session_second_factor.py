from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_one_time_links'),
    ]

    operations = [
        migrations.AddField(
            model_name='authsession',
            name='second_factor',
            field=models.BooleanField(db_default=False),
        ),
    ]
