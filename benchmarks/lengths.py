"""Lengths and paths of the crowded pages, for the server that renders them and the browser's client."""

PATH, LONG_PATH = "/crowded", "/crowded-long"
LISTS, ROWS = 10, 46  # of four elements each: with the surrounding elements a page has 1,900
