#!/bin/sh
# Builds and runs all tests; on a Debian machine it installs what is missing first. Ends with "N
# passed, N failed".
# Environment: CXX, BUILD (the build directory), BUILDTYPE (debugoptimized: optimised, with
# assertions), SETUP (options for meson setup in place of: the library in one piece, which compiles
# in a twentieth of the time), CXXFLAGS (-g0, with sanitizers -g1). Arguments go to meson test,
# which builds only what it is to run. A test may be named as its source is: join_test is join.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-tests}

missing=
have() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
cxx=${CXX:-c++}
have "${cxx%% *}" g++  # it may be "ccache g++"
have meson meson
have ninja ninja-build
have pkg-config pkg-config
if command -v dpkg-query >/dev/null 2>&1; then
  dpkg-query -W -f='${Status}' doctest-dev 2>/dev/null | grep -q 'install ok' ||
    missing="$missing doctest-dev"
fi
if [ -n "$missing" ]; then
  install="apt-get install -y --no-install-recommends$missing"
  if ! command -v apt-get >/dev/null 2>&1; then echo "please install:$missing" >&2; exit 2; fi
  if [ "$(id -u)" = 0 ]; then sudo=
  elif command -v sudo >/dev/null 2>&1; then sudo=sudo
  else echo "please run as root: $install" >&2; exit 2
  fi
  echo "run.sh: installs$missing" >&2
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive $install >/dev/null
fi

if [ ! -f "$build/build.ninja" ]; then
  # Of debug information only lines, for those who print them: all of it would be a third of the
  # compile time, and lines are a tenth.
  case ${SETUP:-} in *b_sanitize*) lines=-g1 ;; *) lines=-g0 ;; esac
  # Not --buildtype, which takes back an -Doptimization of SETUP.
  # shellcheck disable=SC2086
  CXXFLAGS=${CXXFLAGS-$lines} meson setup "$build" -Dbuildtype="${BUILDTYPE:-debugoptimized}" \
    -Dtests=enabled -Dbench=disabled ${SETUP--Dunity=on -Dunity_size=1000}
fi
for argument; do
  shift
  set -- "$@" "${argument%_test}"
done

# Meson shows its progress; what it writes to its log, a line for each test, is counted.
rm -f "$build"/meson-logs/testlog*.json
meson test -C "$build" --print-errorlogs "$@" --logbase testlog || true
cat "$build"/meson-logs/testlog*.json 2>/dev/null | awk '
  /"result": "(OK|EXPECTEDFAIL)"/ { ++passed }
  /"result": "(FAIL|UNEXPECTEDPASS|TIMEOUT|ERROR|INTERRUPT)"/ { ++failed }
  END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
  }'
