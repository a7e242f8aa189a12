"""Parts of the jury's published marks: beside the audience, and beside a member's own marks."""
