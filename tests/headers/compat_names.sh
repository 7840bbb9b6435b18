#!/bin/sh
# compat_names.sh DIRECTORY: fails unless each header of the look-alike has its other name in tbb/,
# which has no others.
cd "$1" || exit 1
ours=$(cd oneapi/tbb && printf '%s\n' *.h)
theirs=$(cd tbb && printf '%s\n' *.h)
if [ "$ours" != "$theirs" ]; then
  printf 'FAILED: oneapi/tbb has\n%s\n\ntbb has\n%s\n' "$ours" "$theirs"
  exit 1
fi
for header in $ours; do
  grep -q "^#include \"../oneapi/tbb/$header\"\$" "tbb/$header" && continue
  echo "FAILED: tbb/$header does not include oneapi/tbb/$header"
  exit 1
done
