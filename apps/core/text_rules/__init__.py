"""Characters, cleaning and masking of texts, names, and addresses of pictures."""
