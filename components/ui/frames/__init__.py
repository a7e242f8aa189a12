"""What stands around a page's content: the site's frame, the administrators', the sign-in card, the grid."""
