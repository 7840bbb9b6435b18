#!/bin/sh
# one_piece.sh TOP: src/furca.cpp and src/meson.build have each source of the library, and no other.
set -eu
cd "$1/src"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ls */*.cpp >"$work/there"
for list in furca.cpp meson.build; do
  sed -n -e 's|^#include "\(.*\.cpp\)"$|\1|p' -e "s|^  '\(.*\.cpp\)',$|\1|p" "$list" |
    LC_ALL=C sort >"$work/listed"
  LC_ALL=C sort "$work/there" | diff - "$work/listed" || {
    echo "src/$list has not all sources of src/, or others (>)"
    exit 1
  }
done
