#!/bin/sh
# compat_listed.sh DIRECTORY HEADER...: fails unless these are all headers of the look-alike, and
# each (but those of detail/) has its other name in tbb/, which has no others.
directory=$1
shift

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

listed=$(printf '%s\n' "$@" | sort)
found=$(cd "$directory/oneapi/tbb" && find . -name '*.h' | sed 's|^\./||' | sort)
[ "$found" = "$listed" ] || fail "in tests/headers/meson.build
$listed

in $directory/oneapi/tbb
$found"

named=$(printf '%s\n' "$@" | grep -v '^detail/' | sort)
found=$(cd "$directory/tbb" && find . -name '*.h' | sed 's|^\./||' | sort)
[ "$found" = "$named" ] || fail "in $directory/tbb
$found"

for header in $named; do
  grep -q "^#include \"../oneapi/tbb/$header\"\$" "$directory/tbb/$header" ||
    fail "tbb/$header does not include oneapi/tbb/$header"
done
