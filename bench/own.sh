#!/bin/sh
# own.sh [--pairs N] PROGRAM.cpp [FLAG...] [-- ARGUMENT...]: is a program of yours, which uses
# oneTBB or std::execution, faster on furca? What it does: own.py --help.
if ! command -v python3 >/dev/null; then
  echo "own.sh: needs python3" >&2
  exit 2
fi
exec python3 -B "$(dirname "$(readlink -f "$0")")/own.py" "$@"
