#!/bin/sh
# Which lines of include/ and src/ the tests walk. Fails below 95 % of them, and if a catch block
# was never entered.
#
# Clang's source-based coverage, in its continuous mode: counters live in a shared mapping of the
# profile, so what a child does that ends by _exit, abort or a signal counts too (gcov writes at
# exit only). A line of a template counts if any instantiation ran it. Two builds, so that the
# portable fallbacks count as well; a line that neither compiles (another processor's, another
# system's) counts neither way.
# Needs clang-19, libclang-rt-19-dev and llvm-19. Environment: BUILD (the build directories' common
# beginning).
set -eu
cd "$(dirname "$0")/.."
top=$(pwd)
build=${BUILD:-build-coverage}

for tool in clang++-19 llvm-profdata-19 llvm-cov-19; do
  command -v "$tool" >/dev/null || {
    echo "please install: clang-19 libclang-rt-19-dev llvm-19" >&2
    exit 77
  }
done
export LLVM_PROFILE_FILE=/dev/null  # what Meson runs while it sets up is of no interest

# measure DIRECTORY SUITES OPTIONS...: builds and runs these suites there, leaves the figures in
# coverage.lcov.
measure() {
  directory=$1
  suites=
  for suite in $2; do suites="$suites --suite $suite"; done
  shift 2
  if [ ! -f "$directory/build.ninja" ]; then
    counted='-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic'
    CXX=clang++-19 meson setup "$directory" --buildtype=debugoptimized \
      -Dtests=enabled -Dbench=disabled -Dexamples=disabled \
      -Dcpp_args="$counted -mllvm -runtime-counter-relocation" \
      -Dcpp_link_args=-fprofile-instr-generate "$@"
  fi
  directory=$(cd "$directory" && pwd)
  rm -rf "$directory/profiles"
  mkdir "$directory/profiles"
  # %m: one file for each program, shared by its processes; %c: continuously.
  # shellcheck disable=SC2086
  LLVM_PROFILE_FILE=$directory/profiles/%m%c.profraw \
    meson test -C "$directory" --print-errorlogs --timeout-multiplier 3 $suites
  llvm-profdata-19 merge -sparse -o "$directory/tests.profdata" "$directory"/profiles/*.profraw
  # The chaos and model programs are compiled for other machines, which is not what ships.
  objects=$(find "$directory/tests" -type f -name '*_test' ! -path '*/chaos/*' ! -path '*/model/*' |
    sort | sed 's/^/-object /')
  # shellcheck disable=SC2086
  llvm-cov-19 export -format=lcov -instr-profile "$directory/tests.profdata" $objects \
    >"$directory/coverage.lcov"
}

measure "$build" 'unit stress fault'
measure "$build-portable" unit -Dportable=true
python3 -B tests/source/coverage.py "$top" "$build/coverage.lcov" "$build-portable/coverage.lcov"
