#!/bin/sh
# module.sh LIBRARY EXAMPLE...: compiles the module furca and programs that import it: examples of
# the reference, in which `import furca;` stands in place of furca's headers. They are linked with
# the library and run. With clang and with g++; COMPILERS, or of each the newest that is looked for.
# Exit code 77, which means skipped, if there is none.
set -eu
library=$(realpath "$1")
shift
top=$(cd "$(dirname "$0")/../.." && pwd)

# newest COMPILER...: the first of them that is there.
newest() { for compiler; do if command -v "$compiler"; then break; fi; done; }
compilers=${COMPILERS-$(newest clang++-22 clang++-21 clang++-20 clang++-19
  newest g++-16 g++-15 g++-14)}
[ -n "$compilers" ] || { echo "no clang 19, no g++ 14 or newer here"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"  # where g++ puts what it knows of a module
for example; do
  # behind the standard's headers, whose operators programs need
  { printf '#include <%s>\n' coroutine memory optional span string tuple utility
    awk '/^#include <furca\// { next } { text[NR] = $0 } /^#include/ { last = NR }
      END { for (i = 1; i <= NR; ++i) print text[i] (i == last ? "\nimport furca;" : "") }' \
      "$top/examples/reference/$example.cpp"
  } >"$example.cpp"
done
for compiler in $compilers; do
  flags="-std=c++20 -pthread -I$top/include -I$top/examples -I$top/examples/reference"
  case $compiler in
    *clang*)
      flags="$flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
      # shellcheck disable=SC2086  # lists of words
      "$compiler" $flags -x c++-module "$top/include/furca/furca.cppm" --precompile -o furca.pcm
      flags="$flags -fmodule-file=furca=furca.pcm"
      module=furca.pcm
      ;;
    *)  # which warns of the module's includes
      flags="$flags -fmodules-ts"
      # shellcheck disable=SC2086
      "$compiler" $flags -x c++ -c "$top/include/furca/furca.cppm" -o furca.o
      module=furca.o
      ;;
  esac
  for example; do
    # shellcheck disable=SC2086
    "$compiler" $flags "$example.cpp" $module "$library" \
      -Wl,-rpath,"$(dirname "$library")" -o "$example"
    "./$example" >/dev/null
    echo "ok      $example, ${compiler##*/}"
  done
done
