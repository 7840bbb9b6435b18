#!/bin/sh
# module.sh LIBRARY EXAMPLE...: compiles the module furca and programs that import it: examples of
# the reference, in which `import furca;` stands in place of furca's headers. They are linked with
# the library and run. CLANG: the compiler; else clang 19 or newer is looked for. Exit code 77,
# which means skipped, if there is none.
set -eu
library=$1
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
for clang in ${CLANG:-clang++-22 clang++-21 clang++-20 clang++-19} ''; do
  command -v "$clang" >/dev/null && break
done
[ -n "$clang" ] || { echo "no clang 19 or newer here"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c++20 -pthread -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
# shellcheck disable=SC2086  # a list of words
"$clang" $flags -I"$top/include" -x c++-module "$top/include/furca/furca.cppm" --precompile \
  -o "$work/furca.pcm"
for example; do
  # behind what furca's headers bring along
  { printf '#include <%s>\n' coroutine optional tuple utility
    awk '/^#include <furca\// { next } { text[NR] = $0 } /^#include/ { last = NR }
      END { for (i = 1; i <= NR; ++i) print text[i] (i == last ? "\nimport furca;" : "") }' \
      "$top/examples/reference/$example.cpp"
  } >"$work/$example.cpp"
  # shellcheck disable=SC2086
  "$clang" $flags -I"$top/examples" -I"$top/examples/reference" \
    -fmodule-file=furca="$work/furca.pcm" "$work/$example.cpp" "$work/furca.pcm" \
    "$library" -Wl,-rpath,"$(dirname "$library")" -o "$work/$example"
  "$work/$example" >/dev/null
  echo "ok      $example"
done
