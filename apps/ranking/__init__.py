"""What the stalls think of a stage: a ranking made of all marks by a published method, and what does not count yet."""
