#!/bin/sh
# What must not come into the source, each word with its reason. Usage: banned_words.sh <top of the
# source tree>
set -u
cd "$1" || exit 2
failed=0

# file:line:text of all code, without comments.
code() {
  grep -rn '' "$@" --include='*.hpp' --include='*.cpp' | sed 's|//.*||'
}

nowhere='^$'
worker='[^_a-z]self\.wait\('  # Worker::wait
seam='^include/furca/detail/base/(atomics|processor)\.hpp:'

# banned <reason> <pattern> <allowed: a pattern> <where>...
banned() {
  reason=$1
  pattern=$2
  allowed=$3
  shift 3
  found=$(code "$@" | grep -E "$pattern" | grep -vE "$allowed") || return 0
  printf 'banned: %s\n%s\n' "$reason" "$found"
  failed=1
}

waits='(\.|->)(notify_one|notify_all|wait)\(|atomic[A-Za-z_]*_(wait|notify)|atomic_flag'
waits="$waits|std::condition_variable"
barriers='counting_semaphore|binary_semaphore|std::latch|std::barrier'
timed='wait_for|wait_until|sleep_for|sleep_until|try_acquire_for|try_acquire_until|timedwait'
banned 'waiting on a standard atomic has lost wake-ups (gcc 104928, llvm 109290): use the seam' \
  "$waits" "$worker" include src
banned 'the same for what the standard library builds on it' \
  "$barriers|#include <(semaphore|latch|barrier)>" "$nowhere" include src
banned 'no timed sleep stands in for a proof that no wake-up is lost' \
  "$timed|nanosleep|usleep|FUTEX_WAIT_BITSET|struct timespec" "$nowhere" include src
banned 'users must not compile these because of furca' \
  '#include <(thread|mutex|condition_variable|shared_mutex|future)>' "$nowhere" include
banned 'sequential consistency is asked for in the seam only, by name' \
  'memory_order_seq_cst|memory_order::seq_cst|atomic_thread_fence' "$seam" include src
banned 'an atomic operation without an order is sequentially consistent' \
  '\.load\(\)' "$nowhere" include

# Sanitizers run without exceptions for anybody, in the whole tree.
found=$(grep -rnEi 'no_sanitize|suppressions|__[a-z]san_default' \
  --include='*.hpp' --include='*.cpp' --include='meson*' --include='*.sh' \
  --include='*.yml' --include='*.yaml' --include='*.supp' . |
  grep -vE '^\./(build[^/]*/|subprojects/|tests/source/banned_words\.sh:)')
if [ -n "$found" ]; then
  printf 'banned: no suppressions, no exceptions from sanitizers\n%s\n' "$found"
  failed=1
fi
found=$(find . -name '*.supp' -not -path './build*' -not -path './subprojects/*')
if [ -n "$found" ]; then
  printf 'banned: suppression files\n%s\n' "$found"
  failed=1
fi

exit $failed
