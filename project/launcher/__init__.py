"""How the site is prepared, started, started again and looked after."""
