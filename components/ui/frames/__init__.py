"""Frames around a page's content: the site's, the administrators', the sign-in card, the grid."""
