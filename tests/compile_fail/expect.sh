#!/bin/sh
# expect.sh SOURCE WORDS... -- COMPILER [ARGUMENT...]
#
# The source must not compile with -DMISTAKE, and the errors must contain all WORDS. So a test fails when the mistake is accepted, and when the message
# does not help. That it compiles without the mistake is right.sh's.
# WORDS that begin with "furca:" are a sentence of furca's: the first error, which is the one that gets read, must contain them, and little may follow.
most_lines=18  # g++ 14 shows more lines of the source than others
source=$1
shift

words=$(mktemp)
trap 'rm -f "$words"' EXIT
while [ "$1" != -- ]; do
  printf '%s\n' "$1" >>"$words"
  shift
done
shift

if errors=$("$@" -fsyntax-only -DMISTAKE "$source" 2>&1); then
  printf 'FAILED: the mistake in %s compiles\n' "$source"
  exit 1
fi

while IFS= read -r expected; do
  searched=$errors
  case $expected in
    furca:*)
      searched=$(printf '%s\n' "$errors" | grep -F 'error:' | head -n 1)
      lines=$(printf '%s\n' "$errors" | wc -l)
      if [ "$lines" -gt "$most_lines" ]; then
        printf '%s\nFAILED: %s lines, and more than %s are not read\n' "$errors" "$lines" "$most_lines"
        exit 1
      fi
      ;;
  esac
  if ! printf '%s\n' "$searched" | grep -F -q -e "$expected"; then
    printf '%s\nFAILED: nothing about "%s" in the above, or not in the first error\n' "$errors" "$expected"
    exit 1
  fi
done <"$words"
