"""functions.window."""
