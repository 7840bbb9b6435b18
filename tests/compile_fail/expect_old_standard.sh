#!/bin/sh
# expect_old_standard.sh SOURCE WORDS COMPILER [ARGUMENT...]
#
# The source must not compile, and the first error, which is the one that gets read, must contain
# WORDS.
source=$1
words=$2
shift 2

if errors=$("$@" -fsyntax-only "$source" 2>&1); then
  printf 'FAILED: %s compiles\n' "$source"
  exit 1
fi
case $(printf '%s\n' "$errors" | grep -F 'error:' | head -n 1) in
  *"$words"*) ;;
  *)
    printf '%s\nFAILED: the first error does not say "%s"\n' "$errors" "$words"
    exit 1
    ;;
esac
