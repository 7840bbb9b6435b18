#!/bin/sh
# right.sh SOURCE... -- COMPILER [ARGUMENT...]
#
# All sources must compile as they are, without a warning: then each test of expect.sh fails for its mistake alone. They are compiled at once, each in
# a namespace of its own, since what takes long is the headers.
all=$(mktemp --suffix=.cpp)
trap 'rm -f "$all"' EXIT

sources=
while [ "$1" != -- ]; do
  sources="$sources $1"
  shift
done
shift

# shellcheck disable=SC2086
{
  cat $sources | grep '^#include' | sort -u
  echo '#define main program'
  number=0
  for source in $sources; do
    number=$((number + 1))
    printf 'namespace source_%s {\n#include "%s"\n}\n' "$number" "$source"
  done
} >"$all"

# A main needs no return, a function does.
"$@" -Wall -Wextra -Werror -Wno-return-type -fsyntax-only "$all"
