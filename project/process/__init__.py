"""The objects of one web process, its background work, and the parsing and running of browsers' frames."""
