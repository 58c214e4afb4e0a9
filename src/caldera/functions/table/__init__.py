"""Functions in FROM that are plain Python: each yields rows of datums. generate_series of integers is a plan node."""
