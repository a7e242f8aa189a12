"""What becomes of a person's rows when the account is deleted, and what of them the person may take along."""
