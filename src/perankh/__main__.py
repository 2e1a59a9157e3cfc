"""`python -m perankh` is the command `perankh`."""

import sys

from perankh.cli import main

sys.exit(main())
