"""A place in the rules may be published for several stages, which share no performer (checked by the service)."""

from django.db import migrations

BESIDE_THE_VERSION_BEFORE = "No upsert names the constraint, and the version before publishes no second stage of a place."


class Migration(migrations.Migration):

    dependencies = [
        ('jury', '0002_shown'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='jurysheet',
            name='jury_published_place_once',
        ),
    ]
