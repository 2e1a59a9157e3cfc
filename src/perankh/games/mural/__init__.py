"""Nile Mural."""
