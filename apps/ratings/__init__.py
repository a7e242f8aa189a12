"""What the audience thinks: marks for pieces and performances, and who should advance."""
