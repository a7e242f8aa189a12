"""Generated trees of anything that components may show, and React's own server as the judge of their HTML."""
