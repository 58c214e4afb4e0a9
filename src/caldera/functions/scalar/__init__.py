"""functions.scalar."""
