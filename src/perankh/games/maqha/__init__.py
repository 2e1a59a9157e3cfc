"""Maqha: tokens into a brimming glass, sealed bids, and nobody wants the last drop."""
