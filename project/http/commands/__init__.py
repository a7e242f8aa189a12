"""Commands that come by HTTP: posted forms, their answers, and texts too long for a frame."""
