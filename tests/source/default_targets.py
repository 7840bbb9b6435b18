#!/usr/bin/env python3
"""default_targets.py BUILD: what `meson compile` and `meson install` build there is the library."""
import json
import sys
from pathlib import Path

targets = json.loads(Path(sys.argv[1], 'meson-info', 'intro-targets.json').read_text('utf-8'))
others = [one['name'] for one in targets if one['build_by_default'] and one['name'] != 'furca']
if others:
    sys.exit(f'without build_by_default: false: {", ".join(others)}')
