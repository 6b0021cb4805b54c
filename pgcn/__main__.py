"""``python -m pgcn`` is ``pgcn``."""

import sys

from pgcn.cli import main

if __name__ == "__main__":
    sys.exit(main())
