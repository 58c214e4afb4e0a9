"""bind."""
