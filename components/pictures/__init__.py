"""Pictures that the server draws, to share: pure functions from frozen data to PNG, with the site's typeface."""
