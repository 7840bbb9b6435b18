#!/usr/bin/env python3
"""default_targets.py BUILD_DIRECTORY: `meson compile` and `meson install` build the library alone."""
import json
import sys
from pathlib import Path

targets = json.loads(Path(sys.argv[1], 'meson-info', 'intro-targets.json').read_text(encoding='utf-8'))
others = [target['name'] for target in targets if target['build_by_default'] and target['name'] != 'furca']
if others:
    sys.exit(f'without build_by_default: false: {", ".join(others)}')
