"""The server of the browser tests: `python -m tests.browser.serve DATA PORT`. Bots do not pause, seeds may be chosen."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def main() -> None:
    from perankh.bots import analysis
    from perankh.web.addresses import Interface
    from perankh.web.alerts import AlertSettings
    from perankh.web.app import AWAY
    from perankh.web.limits import Limits
    from perankh.web.mail import mail_server
    from perankh.web.serve import serve

    def cards() -> list[Interface]:
        """The network of the tests: another address of this computer, so that nothing outside is ever called."""
        return [Interface("wlan0", "127.0.0.2")]

    many = (5000.0, 20000.0)
    costly = ("tables", "uploads", "hints", "entries", "exports", "alerts", "chat", "passwords")
    limits = Limits(**dict.fromkeys(("token", "address", *costly), many))
    post = mail_server(os.environ.get("PERANKH_SMTP"), "games@example.org", "none")
    hosts = frozenset(os.environ.get("PERANKH_ALERT_HOST", "").split())
    more = {"cards": cards, "alerts": AlertSettings(post, hosts, wait=0.2)}
    away = float(os.environ.get("PERANKH_AWAY", AWAY))
    moved = os.environ.get("PERANKH_MOVED")  # a file that says by how many seconds the clocks of the tables are moved

    def now() -> float:
        return time.monotonic() + (float(Path(moved).read_text()) if moved else 0.0)

    more |= {"away": away, "now": now}
    analysis.LONGEST = 0.1  # seconds for a decision of an analysis: the matches that are analysed here are short
    if root := os.environ.get("PERANKH_ROOT"):  # the folder below which the server stands
        more["public_address"] = f"http://127.0.0.1:{sys.argv[2]}{root}"
    serve("127.0.0.1", int(sys.argv[2]), sys.argv[1], allow_seeds=True, bot_pause=(0.0, 0.0), limits=limits, **more)


if __name__ == "__main__":  # the bots' worker process imports this file too
    main()
