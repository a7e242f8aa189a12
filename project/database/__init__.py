"""The embedded PostgreSQL, the two roles of the database, and the detection of outages."""
