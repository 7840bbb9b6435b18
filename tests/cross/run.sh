#!/bin/sh
# run.sh [TARGET...]: builds furca for other machines and runs what can be run of its tests in
# qemu's user mode. Targets are the .ini files beside this script, and cl and macos; all of them but
# wasm if none is named. On a Debian machine it installs what is missing. Ends with "N passed, N
# failed". Target windows is this machine's processor with mingw-w64, in Wine, and windows-clang
# the same with clang and mingw-w64's libraries; musl is this machine with that C library, and a C++
# library that is built first; wasm is WebAssembly, runs in node, and needs emscripten 3.1.69, as
# Debian 13 has it; cl, for Microsoft's compiler, and macos are only compiled (compile.sh).
#
# What this shows: that furca compiles, links and computes right with other word sizes and byte
# orders, and what its fast paths are compiled to. What it cannot show: weak memory orders, as qemu
# runs on this machine's own. Those are for the model checker.
#
# Environment: BUILD, the build directories are $BUILD-TARGET (build-cross-TARGET); SETUP, further
# options for meson setup; TESTS, which tests to run.
set -eu
cd "$(dirname "$0")/../.."

# Without the tests that start themselves again (startup, allocation, watchdog): the system does not
# know how to execute them.
all='sleep processors aligned_tree pace index_range job fence thread_pool join scope
  parallel_for parallel_reduce per_worker run_queue injector deque'
# All that there is on Windows, and short: in Wine threads come to run late.
windows='join thread_pool per_worker async broadcast scope parallel_for parallel_reduce few_steps
  chunks places progress search collect extremes group group_functions group_index lookup merge pack
  permute scan sets sort stable_sort views write sleep job fence run_queue injector task_queue
  tuning compat_loops compat_values compat_containers compat_execution compat_tasks dll
  thread_ends'
# Without thread_pool, pace and chunks: one case of each asks for the system's list of threads, for
# a finer clock, and for a grain of 64 bits.
wasm='join per_worker async broadcast scope parallel_for parallel_reduce few_steps places progress
  search collect extremes group group_functions group_index lookup merge pack permute scan sets sort
  stable_sort views write sleep job fence run_queue injector task_queue tuning aligned_tree
  index_range stop_token'
# Units, and what musl does otherwise: threads have small stacks. Without stats, of which a case
# needs a larger one, and plugins: dlclose unloads nothing there.
musl="$all spawn async broadcast few_steps chunks places progress search collect extremes group
  group_functions group_index lookup merge pack permute scan sets sort stable_sort views write
  task_queue tuning stop_token placement trace startup bind thread_limit allocation
  stack exits exceptions"
if [ $# = 0 ]; then
  for file in tests/cross/*.ini; do
    target=$(basename "$file" .ini)
    [ "$target" = wasm ] || set -- "$@" "$target"
  done
  set -- "$@" cl macos
fi

# value FILE KEY: the first word in quotes of what a cross file says about KEY.
value() { sed -n "s/^$2 = [^']*'\([^']*\)'.*/\1/p" "$1"; }

missing=
have() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
have meson meson
have ninja ninja-build
have python3 python3
for target; do
  file=tests/cross/$target.ini
  if [ "$target" = cl ] || [ "$target" = macos ]; then
    have clang++-19 clang-19
    [ -d /usr/lib/llvm-19/include/c++/v1 ] || missing="$missing libc++-19-dev"
    [ "$target" = macos ] || [ -d /usr/include/wine/wine ] || missing="$missing libwine-dev"
    [ "$target" = cl ] || { have llvm-nm-19 llvm-19; have npm npm; }
    continue
  fi
  if [ ! -f "$file" ]; then echo "no such target: $target" >&2; exit 2; fi
  compiler=$(value "$file" cpp)
  case $compiler in clang++-*) have "$compiler" "clang-${compiler#clang++-}" ;; esac
  if [ "${target%-clang}" = windows ]; then
    have x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix
    [ "$target" = windows ] || have ld.lld-19 lld-19
    [ -x "$(value "$file" exe_wrapper)" ] || missing="$missing wine64 wine"
    continue
  fi
  if [ "$target" = musl ]; then
    have x86_64-linux-musl-gcc musl-tools
    have cmake cmake
    [ -d /usr/lib/llvm-19/lib/clang/19/lib ] || missing="$missing libclang-rt-19-dev"
    continue
  fi
  if [ "$target" = wasm ]; then
    if echo '#include <coroutine>' | em++ -std=c++20 -fsyntax-only -xc++ - 2>/dev/null &&
      command -v node >/dev/null; then
      continue
    fi
    echo "wasm needs node, and em++ with a libc++ that has <coroutine>" >&2
    exit 2
  fi
  have "$(value "$file" exe_wrapper)" qemu-user
  machine=$(sed -n "s|.*'/usr/\(.*\)'.*|\1|p" "$file")
  have "$machine-g++" "g++-$(echo "$machine" | tr _ -)"  # the libraries, in any case
done
[ -f /usr/include/doctest/doctest.h ] || missing="$missing doctest-dev"
if [ -n "$missing" ]; then
  install="apt-get install -y --no-install-recommends$missing"
  if ! command -v apt-get >/dev/null 2>&1; then echo "please install:$missing" >&2; exit 2; fi
  if [ "$(id -u)" = 0 ]; then sudo=
  elif command -v sudo >/dev/null 2>&1; then sudo=sudo
  else echo "please run as root: $install" >&2; exit 2
  fi
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive $install >/dev/null
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Builds and tests one target; its report is added to the log. A target that does not compile counts
# as one that failed.
run() {
  if [ "${1%-clang}" = windows ]; then
    tests=${TESTS:-$windows}
    export WINEPREFIX="${WINEPREFIX:-$(realpath -m build-cross-wine)}" WINEDEBUG=-all
    export WINEDLLOVERRIDES=winedbg.exe=d  # after it a program that crashed has ended with 0
    export FURCA_TEST_SCALE="${FURCA_TEST_SCALE:-0.1}"
  elif [ "$1" = wasm ]; then
    tests=${TESTS:-$wasm}
    export FURCA_TEST_SCALE="${FURCA_TEST_SCALE:-0.1}"
  elif [ "$1" = musl ]; then
    tests=${TESTS:-$musl}
  else
    tests=${TESTS:-$all instructions}
  fi
  build=$(realpath -m "${BUILD:-build-cross}-$1")
  if [ "$1" = cl ] || [ "$1" = macos ]; then
    mkdir -p "$build"
    sh tests/cross/compile.sh "$1" "$build" >"$build/report" || true
    cat "$build/report"
    cat "$build/report" >>"$log"
    grep -q '^Fail:' "$build/report"  # else it ended early
    return
  fi
  if [ ! -f "$build/build.ninja" ]; then
    # Cross compilers do not look in /usr/include, and rightly: of all that is there they may see
    # doctest alone.
    mkdir -p "$build/headers"
    ln -sfn /usr/include/doctest "$build/headers/doctest"
    include=-isystem$build/headers
    link=
    if [ "$1" = musl ]; then
      root=$(realpath -m "${BUILD:-build-cross}-musl-root")
      sh tests/cross/musl.sh "$root" || return 1
      include="$include --sysroot=$root -isystem$root/usr/include/c++/v1"
      link="--sysroot=$root -nostdlib++ -lc++ -lc++abi -lc++experimental -lunwind"
    fi
    # The library in one piece, which compiles in an eighth of the time.
    # Without -g, which binutils 2.40 does not survive where clang 19 wrote it for RISC-V.
    # shellcheck disable=SC2086
    meson setup "$build" --cross-file "tests/cross/$1.ini" -Dbuildtype=plain -Doptimization=2 \
      -Dtests=enabled -Dbench=disabled -Dexamples=disabled -Dunity=on -Dunity_size=1000 \
      -Dcpp_args="$include" ${link:+-Dcpp_link_args="$link"} ${SETUP-} || return 1
  fi
  # shellcheck disable=SC2086
  meson test -C "$build" --print-errorlogs --timeout-multiplier 10 $tests \
    >"$build/report" 2>&1 || true
  cat "$build/report"
  cat "$build/report" >>"$log"
}

for target; do
  echo "== $target"
  run "$target" || echo 'Fail: 1' >>"$log"
done
awk '
  /^(Ok|Expected Fail):/ { passed += $NF }
  /^(Fail|Unexpected Pass|Timeout):/ { failed += $NF }
  END {
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
  }' "$log"
