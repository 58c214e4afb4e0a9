"""functions.table."""
