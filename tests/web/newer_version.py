"""A server of a version that does not exist yet: its data have more columns, another table and another index.

It is run like `bench/web_server.py`, with the same options.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from perankh.web import storage

WEB_SERVER = Path(__file__).resolve().parents[2] / "bench" / "web_server.py"
ADDED = {"tables": ("mood", "TEXT"), "moves": ("weather", "INTEGER NOT NULL DEFAULT 7"), "seats": ("cushion", "TEXT")}
ADDED |= {"visits": ("mood", "TEXT"), "servers": ("mood", "TEXT"), "persons": ("mood", "INTEGER NOT NULL DEFAULT 0")}


def add_moods(connection: Any) -> None:
    """To the next version: what a newer server may add while older ones run."""
    for table, (column, kind) in ADDED.items():
        connection.execute(sa.text(f"ALTER TABLE {table} ADD COLUMN {column} {kind}"))
    connection.execute(sa.text("CREATE TABLE moods (table_id VARCHAR(12) PRIMARY KEY REFERENCES tables (id), mood TEXT)"))
    connection.execute(sa.text("CREATE INDEX moves_by_stamp ON moves (stamp)"))


def become_newer() -> None:
    """Let this process know the next version of the data. Its statements name the new columns, but for that of moves."""
    storage.MIGRATIONS = (*storage.MIGRATIONS, add_moods)
    storage.VERSION += 1
    kinds: dict[str, Any] = {"TEXT": sa.Text, "INTEGER": sa.Integer}
    for table, (column, kind) in ADDED.items():
        if table == "moves":  # where all columns are written with every move
            continue
        name, _, more = kind.partition(" ")
        default = more.rpartition(" ")[2] or None
        storage.metadata.tables[table].append_column(sa.Column(column, kinds[name], nullable=not more, server_default=default))


if __name__ == "__main__":
    become_newer()
    runpy.run_path(str(WEB_SERVER), run_name="__main__")
