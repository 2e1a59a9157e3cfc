"""The server of the browser tests: `python -m tests.browser.serve DATA PORT`. Bots do not pause, seeds may be chosen."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from perankh.web.app import AWAY
    from perankh.web.limits import Limits
    from perankh.web.serve import serve

    many = (5000.0, 20000.0)
    limits = Limits(token=many, address=many, tables=many, uploads=many, hints=many)
    away = float(os.environ.get("PERANKH_AWAY", AWAY))
    serve("127.0.0.1", int(sys.argv[2]), sys.argv[1], allow_seeds=True, bot_pause=(0.0, 0.0), limits=limits, away=away)


if __name__ == "__main__":  # the bots' worker process imports this file too
    main()
