"""The tables in files: texts and workbooks as numbered records of texts, and the header among the first of them."""
