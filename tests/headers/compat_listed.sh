#!/bin/sh
# compat_listed.sh DIRECTORY HEADER... -- REFUSED...: fails unless these are all headers of the look-alike, each (but those of detail/) has its other name in tbb/, and
# those that are refused say so in one line and include nothing.
directory=$1
shift
headers=
while [ "$1" != -- ]; do
  headers="$headers $1"
  shift
done
shift

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

found=$(cd "$directory/oneapi/tbb" && find . -name '*.h' | sed 's|^\./||' | sort)
# shellcheck disable=SC2086
listed=$(printf '%s\n' $headers "$@" | sort)
[ "$found" = "$listed" ] || fail "in tests/headers/meson.build
$listed

in $directory/oneapi/tbb
$found"

for header in $headers "$@"; do
  case $header in detail/*) continue ;; esac
  grep -q "^#include \"../oneapi/tbb/$header\"\$" "$directory/tbb/$header" || fail "tbb/$header does not include oneapi/tbb/$header"
done
for header in "$@"; do
  grep -q "^#error \"furca: <tbb/$header> is not in furca's look-alike: " "$directory/oneapi/tbb/$header" || fail "$header does not say that it is not there"
  ! grep -q '^#include' "$directory/oneapi/tbb/$header" || fail "$header includes something"
done
