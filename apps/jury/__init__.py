"""The jury: its members' marks of a stage, the official result they give, and its comparison with the audience."""
