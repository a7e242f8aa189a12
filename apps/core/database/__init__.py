"""What every table and statement shares: columns, constraints, counts, pages of lists, the database's clock."""
