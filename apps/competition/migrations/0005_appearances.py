# The names by which a session and a participant reach their appearances; nothing of the tables changes.

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('competition', '0004_dated_by_the_database'),
    ]

    operations = [
        migrations.AlterField(
            model_name='sessionparticipant',
            name='participant',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appearances', to='competition.participant'),
        ),
        migrations.AlterField(
            model_name='sessionparticipant',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appearances', to='competition.session'),
        ),
    ]
