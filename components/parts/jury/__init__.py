"""Parts with the jury's marks and the official result of a stage, beside the audience and a member's own marks."""
