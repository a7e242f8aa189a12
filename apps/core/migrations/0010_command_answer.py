from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0009_dated_by_the_database'),
    ]

    operations = [
        migrations.RenameModel(old_name='Act', new_name='CommandAnswer'),
    ]
