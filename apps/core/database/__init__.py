"""Database helpers: fields, constraints, row counts, paging, the counter cache and its connections."""
