#!/bin/sh
# one_piece.sh TOP: src/furca.cpp and src/meson.build have each source of the library, and no other;
# src/system/chosen.cpp has each that is for some systems alone.
set -eu
cd "$1/src"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for list in furca.cpp meson.build system/chosen.cpp; do
  case $list in system/*) ls system/*/*.cpp | sed 's|^system/||' ;; *) ls */*.cpp ;; esac |
    LC_ALL=C sort >"$work/there"
  sed -n -e 's|^#include "\(.*\.cpp\)"$|\1|p' -e "s|^  '\(.*\.cpp\)',$|\1|p" "$list" |
    LC_ALL=C sort -u >"$work/listed"
  diff "$work/there" "$work/listed" || {
    echo "src/$list has not all sources that it should have, or others (>)"
    exit 1
  }
done
