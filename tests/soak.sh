#!/bin/sh
# soak.sh [WORDS...]: what takes too long for every change, three hours on two processors. Ends with
# "N passed, N failed", one for each step below. What cannot run here, for want of a tool, is said
# to be skipped and counts as neither. With WORDS, only the steps whose names contain one of them.
# Environment: CXX, CXXFLAGS (-g1: what valgrind and sanitizers print has lines). The build
# directories are build-soak*.
set -u
cd "$(dirname "$0")/.."
export CXXFLAGS="${CXXFLAGS--g1}"

words=$(printf '%s\n' "$@")
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# wanted NAME: no words were given, or one of them is in the name.
wanted() {
  [ -n "$words" ] || return 0
  echo "$words" | while IFS= read -r word; do case $1 in *"$word"*) exit 7 ;; esac; done
  [ $? = 7 ]
}

# step NAME COMMAND...: shows the end of the output, more of it when the command fails.
step() {
  name=$1
  start=$(date +%s)
  shift
  wanted "$name" || return 0
  "$@" >"$log" 2>&1
  code=$?
  seconds=$(($(date +%s) - start))
  shown=1
  case $code in
    0) passed=$((passed + 1)); echo "ok      $name ($seconds s)" ;;
    77) echo "skipped $name" ;;
    *) failed=$((failed + 1)); shown=400; echo "FAILED  $name ($seconds s)" ;;
  esac
  tail -n $shown "$log" | sed 's/^/        /'
}

# Under sanitizers the library is compiled in one piece, in an eighth of the time.
in_one="-Dunity=on -Dunity_size=1000"
asan="$in_one -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=0"
tsan="$in_one -Db_sanitize=thread -Db_lundef=false -Doptimization=1"

# suites DIRECTORY OPTIONS SUITES ARGUMENTS...: these suites, in a build of its own; the arguments
# go to meson test.
suites() {
  directory=$1
  options="-Dsoak=true $2"
  chosen=
  for suite in $3; do chosen="$chosen --suite $suite"; done
  shift 3
  # shellcheck disable=SC2086
  BUILD=$directory SETUP=$options sh tests/run.sh $chosen "$@"
}

# What the long versions count, from the last run's log; the seeded bugs, of which all must be
# caught.
counts() {
  counted='nothing lost|round trips to|rendezvous in|random calls|seeded bugs caught'
  grep -hE "$counted|weakenings killed" build-soak/meson-logs/testlog.txt | sed 's/^/        /'
}

# Valgrind runs one thread at a time, so races have little chance: this is for memory, and a few
# rounds will do. Left out are bind, one of whose children is forked by a thread of a pool and then
# exits, with what the parent's other threads had lost in it; vectors, for whose -march=native it
# may not know the instructions; and what is no program of furca's. Other forked children abort, and
# are silent, or end while a pool's threads run, whose blocks are possibly lost then: only those
# that are lost for sure count. Reductions have accumulators of 1 MiB: steps of that size on a stack
# are no change of stacks.
memcheck() {
  command -v valgrind >/dev/null || { echo "please install: valgrind"; return 77; }
  suites build-soak "" unit || return 1  # builds the programs that are listed below
  programs=$(meson test -C build-soak --no-rebuild --suite unit --list |
    sed -n 's|^furca:unit / ||p' | grep -vxE 'bind|vectors|version')
  valgrind='valgrind --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite'
  valgrind="$valgrind --max-stackframe=8388608 --child-silent-after-fork=yes --fair-sched=yes -q"
  # shellcheck disable=SC2086
  (export FURCA_TEST_SCALE=0.2
   suites build-soak "" unit --timeout-multiplier 30 --wrapper "$valgrind" $programs)
}

# Under sanitizers, with all the cases that everyday runs leave out. address DIRECTORY SUITES.
address() {
  (export FURCA_TEST_SCALE=2; suites "$1" "$asan" "$2" --timeout-multiplier 10)
}

thread() {
  (export FURCA_TEST_SCALE=2
   suites build-soak-clang-tsan "$tsan" "unit stress fault" --timeout-multiplier 10)
}

# mixed DIRECTORY OPTIONS: five minutes of random programs.
mixed() {
  suites "$1" "$2" soak --timeout-multiplier 10 mixed_stress_long || return 1
  grep -h 'random calls' "$1/meson-logs/testlog.txt"
}

# wasm COMMAND...: where there is an emscripten that can compile furca, as Debian 13 has it.
wasm() {
  echo '#include <coroutine>' | em++ -std=c++20 -fsyntax-only -xc++ - ||
    { echo "absent: emscripten with <coroutine>"; return 77; }
  "$@"
}

browser() {
  for program in chromium chromedriver; do
    command -v $program >/dev/null || { echo "absent: $program"; return 77; }
  done
  python3 -B tests/cross/browser.py
}

# with_clang19 COMMAND...: with that compiler.
with_clang19() { (export CXX=clang++-19; "$@"); }

# A fork, a process's life and idleness with the other fence.
classic_fence() {
  (export FURCA_FENCE=classic; suites build-soak "" stress)
}

# Benchmarks beside furca-bench, in short: nobody reads these times.
other_benchmarks() {
  python3 bench/kernels/run.py --compiler g++ --flags=-O2 --most 1000 |
    grep 'within 1.05 x plain' &&
    python3 bench/compile_time.py --compiler g++ --rounds 1 --filter fib |
      grep 'fib, furca .* beside fib, oneTBB'
}

step "long stress, and all of the tests that make sense on a chaotic machine" \
  suites build-soak "" soak
wanted "long stress" && counts
step "each header alone, and all rows of the counted processors" \
  suites build-soak "" "source counted"
step "chaos with twenty seeds" suites build-soak "" chaos --repeat 20
step "g++, address and undefined-behaviour sanitizers, leaks" \
  address build-soak-asan "unit stress examples fault chaos"
step "clang 19, address and undefined-behaviour sanitizers, leaks" \
  with_clang19 address build-soak-clang-asan unit
step "clang 19, thread sanitizer" with_clang19 thread
step "five minutes of random programs, g++, address and undefined-behaviour sanitizers" \
  mixed build-soak-asan "$asan"
step "five minutes of random programs, clang 19, thread sanitizer" \
  with_clang19 mixed build-soak-clang-tsan "$tsan"
step "valgrind memcheck" memcheck
for clang in 14 19; do
  step "clang $clang's errors for wrong calls" \
    env CXX=clang++-$clang BUILD=build-soak-clang$clang \
    sh tests/run.sh --no-rebuild --suite compile_fail --timeout-multiplier 10
done
step "other processors and systems" sh tests/cross/run.sh
step "WebAssembly in node" wasm sh tests/cross/run.sh wasm
step "WebAssembly in a browser" wasm browser
step "portable fallbacks, no assertions" suites build-soak-portable \
  "$in_one -Dportable=true -Db_ndebug=true -Doptimization=0" "" \
  startup bind thread_pool join async scope allocation processors stats deque wake_stress
step "all consumers" sh tests/consumers/run.sh
step "several ranks, each MPI that is installed" python3 -B tests/mpi/run.py
step "other libraries on furca's threads" python3 -B tests/plugs/run.py
step "the classic fence" classic_fence
step "other benchmarks" other_benchmarks
step "coverage" env BUILD=build-soak-coverage sh tests/coverage.sh

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
