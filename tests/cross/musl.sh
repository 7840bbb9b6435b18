#!/bin/sh
# musl.sh DIRECTORY: makes it a system's root with musl, Linux's headers, and libc++ 19, built from
# the sources of Debian's package: Debian has no C++ library for musl. Some minutes, once.
set -eu
root=$1
[ ! -f "$root/made" ] || exit 0
rm -rf "$root"
mkdir -p "$root/usr/lib" "$root/usr/include" "$root/lists/partial"
cp -rs /usr/include/x86_64-linux-musl/. "$root/usr/include"
cp -rs /usr/lib/x86_64-linux-musl/. "$root/usr/lib"
ln -s usr/lib "$root/lib"
ln -s /usr/include/linux /usr/include/asm-generic /usr/include/x86_64-linux-gnu/asm \
  "$root/usr/include"

# A list of sources of its own: the machine's may have none.
cat >"$root/list" <<END
deb-src http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian-security bookworm-security main
END
cd "$root"
set -- -qq -o "Dir::Etc::sourcelist=$root/list" -o Dir::Etc::sourceparts=- \
  -o "Dir::State::lists=$root/lists"
apt-get update "$@"
apt-get source "$@" --download-only llvm-toolchain-19
mkdir sources
tar xf llvm-toolchain-19_*.orig.tar.xz -C sources --strip-components=1 --wildcards \
  '*/libcxx/*' '*/libcxxabi/*' '*/libunwind/*' '*/runtimes/*' '*/libc/*' \
  'llvm-toolchain-19_*/cmake/*' '*/llvm/utils/*'

flags="--target=x86_64-linux-musl --sysroot=$root"
cmake -G Ninja -S sources/runtimes -B build -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$root/usr" -DCMAKE_SYSTEM_NAME=Linux \
  -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
  -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_ASM_FLAGS="$flags" \
  -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
  -DLLVM_ENABLE_RUNTIMES='libcxx;libcxxabi;libunwind' -DLLVM_INCLUDE_TESTS=OFF \
  -DLIBCXX_HAS_MUSL_LIBC=ON -DLIBCXX_ENABLE_SHARED=OFF -DLIBCXX_USE_COMPILER_RT=ON \
  -DLIBCXX_INCLUDE_TESTS=OFF -DLIBCXX_INCLUDE_BENCHMARKS=OFF \
  -DLIBCXXABI_ENABLE_SHARED=OFF -DLIBCXXABI_USE_COMPILER_RT=ON \
  -DLIBCXXABI_USE_LLVM_UNWINDER=ON -DLIBCXXABI_INCLUDE_TESTS=OFF \
  -DLIBCXXABI_HAS_CXA_THREAD_ATEXIT_IMPL=OFF \
  -DLIBUNWIND_ENABLE_SHARED=OFF -DLIBUNWIND_USE_COMPILER_RT=ON -DLIBUNWIND_INCLUDE_TESTS=OFF \
  >configured
ninja -C build install-cxx install-cxxabi install-unwind >built
rm -rf sources build lists llvm-toolchain-19_*
touch made
