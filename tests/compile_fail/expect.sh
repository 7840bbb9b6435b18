#!/bin/sh
# expect.sh SOURCE WORDS COMPILER [ARGUMENT...]
#
# The source must compile as it is, and must not with -DMISTAKE; the errors must then contain WORDS. So a test fails
# when the mistake is accepted, when the message does not help, and when the source is wrong in some other way as well.
source=$1
words=$2
shift 2

if ! errors=$("$@" -fsyntax-only "$source" 2>&1); then
  printf '%s\nFAILED: %s does not compile even without the mistake\n' "$errors" "$source"
  exit 1
fi
if errors=$("$@" -fsyntax-only -DMISTAKE "$source" 2>&1); then
  printf 'FAILED: the mistake in %s compiles\n' "$source"
  exit 1
fi
if ! printf '%s\n' "$errors" | grep -F -q -e "$words"; then
  printf '%s\nFAILED: nothing about "%s" in the above\n' "$errors" "$words"
  exit 1
fi
