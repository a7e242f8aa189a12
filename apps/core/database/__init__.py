"""Columns, constraints, counts, paging, connections and the database's clock."""
