"""Limits of time in tests are for what hangs, never for what is slow: a loaded machine may take as long as it wants."""
HANG = 1800  # seconds
