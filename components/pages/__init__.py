"""Pages: each module loads one page and renders it."""
