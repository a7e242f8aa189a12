"""The pages that bring data in."""
