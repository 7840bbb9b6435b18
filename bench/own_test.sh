#!/bin/sh
# own_test.sh COMPILER... (FURCA_LIBRARY: the library): own.sh compares a program with itself, and
# says what is wrong with others.
CXX="$*"
BUILD=$(mktemp -d)
trap 'rm -rf "$BUILD"' EXIT
export CXX BUILD
own="$(dirname "$0")/own.sh"
program=$BUILD/program.cpp

echo '#include <tbb/version.h>' >"$program"
# shellcheck disable=SC2086  # it may be "ccache g++"
$CXX -std=c++20 -fsyntax-only "$program" 2>/dev/null || exit 77

# expect EXIT_CODE WORDS ARGUMENT...
expect() {
  code=$1
  words=$2
  shift 2
  output=$(printf 'three words here' | sh "$own" "$@" 2>&1)
  got=$?
  case $output in *"$words"*) said=yes ;; *) said= ;; esac
  if [ "$got" != "$code" ] || [ -z "$said" ]; then
    printf '%s\nFAILED: own.sh %s: exit code %s, not %s, or nothing about "%s" in the above\n' \
      "$output" "$*" "$got" "$code" "$words"
    exit 1
  fi
}

cat >"$program" <<'END'
#include <algorithm>
#include <cstdio>
#include <execution>
#include <vector>
#include <unistd.h>

int main(int argc, char** argv) {
  if (std::getchar() != 't') return 8;
  std::vector<int> x{3, 1, 2};
  std::sort(std::execution::par, x.begin(), x.end());
  std::printf("%d %d\n", x[0], argc > 1 ? static_cast<int>(getpid()) : 0);
  return argc > 2 ? 7 : 0;
}
END
expect 0 'outputs are the same' --pairs 2 "$program" -O0
expect 0 'outputs differ' --pairs 1 "$program" -O0 -- pid
expect 1 'exit code 7' --pairs 1 "$program" -O0 -- pid fails
expect 0 ', 3 pairs' --pairs=3 "$program" -O0
expect 2 'no program comes of the flag -c' "$program" -c
expect 2 '--pairs is to be a number, 1 or more, and not "0"' --pairs 0 "$program"
expect 2 'no such program' "$BUILD/no.cpp"
expect 2 'the program does not compile as it is' "$program" -DNO -include nothing.hpp
printf '#error "\377"\n' >"$program"
expect 2 'the program does not compile as it is' "$program"
mkdir -p "$BUILD/tbb/include"
program=$BUILD/tbb/program.cpp
echo 'int main() {}' >"$program"
expect 2 'nothing to compare' "$program"
cat >"$program" <<'END'
#include <tbb/parallel_for.h>
#include <atomic>
#include <cstdio>

int main() {
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 1000, [&sum](int i) { sum += i; });
  std::printf("%d\n", sum.load());
}
END
expect 0 'outputs are the same' --pairs 1 "$program" -O0
ln -s "$(readlink -f "$own")" "$BUILD/link.sh"
own=$BUILD/link.sh
expect 2 'no such program' "$BUILD/no.cpp"
CXX=no-compiler
expect 2 'no such compiler: no-compiler' "$program"
