"""What `docs/make` is written with."""
