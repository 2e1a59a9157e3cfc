"""Imhotep: stones, ships and five building sites; who sails a ship decides where everybody's stones end up."""
