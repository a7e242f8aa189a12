"""What the audience gave and wrote: rows of ratings, the newest of them, a participant's figures."""
