"""``python -m benchmarks.rows --rows 50000``."""

from __future__ import annotations

import os
import sys

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.rows.settings"
    django.setup()

    from benchmarks.rows.jobs import main

    sys.exit(main())
