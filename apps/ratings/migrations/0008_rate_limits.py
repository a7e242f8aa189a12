"""Ratings are counted in `rate_limits`.

The version before this one counts in the old table while a deploy lasts, so it stays until the next version, without
what ties it to accounts; what it holds is a minute old at most.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0007_dated_by_the_database"), ("core", "0011_rate_limits")]

    operations = [
        migrations.AlterField(
            model_name="ratingturn",
            name="user",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                db_constraint=False,
            ),
        ),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="RatingTurn")]),
    ]
