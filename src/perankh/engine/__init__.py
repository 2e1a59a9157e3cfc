"""The engine: state records, rules at three speeds, chance, options, checks. It knows no game by name."""
