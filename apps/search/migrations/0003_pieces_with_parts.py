"""Entries of pieces have movements and the pieces of sets. After a migration of this app all entries are compared."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0002_pieces_anew'),
    ]

    operations = []
