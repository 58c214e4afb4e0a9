"""storage.external."""
