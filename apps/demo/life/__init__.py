"""A demo that is alive: its invented audience marks and writes, and its performers follow each other.

Each step is one small act through the ordinary services. It is chosen from the rows as they are, so that any process
can take the next step after any other, and after a pause.
"""
