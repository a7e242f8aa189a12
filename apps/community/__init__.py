"""The community feed: posts of the audience, their comments, applause and boos."""
