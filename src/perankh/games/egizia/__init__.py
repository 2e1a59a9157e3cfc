"""Egizia: Shifting Sands."""
