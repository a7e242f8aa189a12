"""The page "Jury" of administrators: the file, what it becomes, the sheets, a sheet's figures, and the rules."""
