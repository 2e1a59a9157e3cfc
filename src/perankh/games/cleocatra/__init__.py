"""Cleocatra: cats on triangular tiles, rescuers, inspectors."""
