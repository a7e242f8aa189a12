from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_acts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('key', models.CharField(max_length=250, primary_key=True, serialize=False)),
                ('value', models.JSONField()),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
            options={
                'db_table': 'counters',
            },
        ),
    ]
