"""What everybody may read: the same for every viewer."""
