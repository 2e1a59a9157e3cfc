"""The server of the browser tests: `python -m tests.browser.serve DATA PORT`. Bots do not pause, seeds may be chosen."""

from __future__ import annotations

import os
import sys


def main() -> None:
    import uvicorn

    from perankh.web.app import AWAY, create_app
    from perankh.web.limits import Limits

    limits = Limits(token=(1000.0, 5000.0), address=(5000.0, 20000.0))
    away = float(os.environ.get("PERANKH_AWAY", AWAY))
    app = create_app(sys.argv[1], allow_seeds=True, bot_pause=(0.0, 0.0), limits=limits, away=away)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")


if __name__ == "__main__":  # the bots' worker process imports this file too
    main()
