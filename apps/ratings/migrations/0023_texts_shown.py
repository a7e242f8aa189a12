"""When a member asked for the texts about a performance."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0022_appearances'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingdraft',
            name='texts_shown_at',
            field=models.DateTimeField(null=True),
        ),
    ]
