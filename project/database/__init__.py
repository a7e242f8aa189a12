"""The embedded PostgreSQL, the two roles of the database, and what is done while it is away."""
