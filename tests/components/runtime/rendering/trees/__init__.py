"""Generated trees of all markup that components may show; React's server renderer is the oracle for their HTML."""
