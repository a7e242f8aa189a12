"""Who runs the site, in one row."""

import apps.core.database.fields
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0013_link_addresses'),
    ]

    operations = [
        migrations.CreateModel(
            name='SiteContact',
            fields=[
                ('id', models.PositiveSmallIntegerField(db_default=1, default=1, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, db_default='', max_length=200)),
                ('email', models.EmailField(blank=True, db_default='', max_length=254)),
                ('updated_at', apps.core.database.fields.UpdatedAtField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'db_table': 'site_contacts',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='site_contact_one_row'), models.CheckConstraint(condition=models.Q(('name', ''), ('name__regex', '^\\S([^\\n]*\\S)?$'), _connector='OR'), name='site_contact_name_one_line'), models.CheckConstraint(condition=models.Q(('email', ''), ('email__regex', '^[^@\\s]+@[^@\\s]+$'), _connector='OR'), name='site_contact_email_written')],
            },
        ),
    ]
