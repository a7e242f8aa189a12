"""How much stands on the crowded pages, and where they are: for the server that makes them and the browser's client."""

PATH, LONG_PATH = "/crowded", "/crowded-long"
LISTS, ROWS = 10, 46  # of four elements each, so that a page has 1,900 with what stands around
