"""Django's backend for PostgreSQL, which gives no connection while the database is known to be away."""
