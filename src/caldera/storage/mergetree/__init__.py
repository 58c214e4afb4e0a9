"""storage.mergetree."""
