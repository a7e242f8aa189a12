"""Read the jury's files: marks of one stage by juror and participant, or the official figures of a stage."""
