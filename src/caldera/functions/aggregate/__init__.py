"""functions.aggregate."""
