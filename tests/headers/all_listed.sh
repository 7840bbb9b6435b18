#!/bin/sh
# all_listed.sh DIRECTORY HEADER...: fails unless the headers named are all that there are.
directory=$1
shift
found=$(cd "$directory" && find . -name '*.hpp' | sed 's|^\./||' | sort)
listed=$(printf '%s\n' "$@" | sort)
if [ "$found" != "$listed" ]; then
  printf 'FAILED: in tests/headers/meson.build\n%s\n\nin %s\n%s\n' "$listed" "$directory" "$found"
  exit 1
fi
