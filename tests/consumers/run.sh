#!/bin/sh
# run.sh [CONSUMER...]: takes furca as its users do, with each kind of build, in a directory of its
# own. All consumers if none is named; -l lists them.
# Prints a line for each, and all that was said where one fails; ends with "N passed, N failed".
# Needs no network and installs nothing:
# a tool that is missing is a failure. What is tested is this tree as it is, committed or not.
# Environment: CXX.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/consumers
all="wrap_git subproject dist pkg_config installed_headers cmake cmake_windows cmake_tbb \
  cmake_sources cxx17 no_build_system two_libraries two_compilers plugin"
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$top/meson.build")
minor=${version%.*}

case ${1-} in
  -l) printf '%s\n' $all; exit 0 ;;
  -*) echo "usage: $0 [-l] [CONSUMER...]" >&2; exit 2 ;;
esac
for consumer in ${*:-$all}; do
  case " $all " in
    *" $consumer "*) ;;
    *) echo "no such consumer: $consumer; there are: $all" >&2; exit 2 ;;
  esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP
log=$work/log
# What the user has set for other things must not change what is built here.
unset CXXFLAGS CPPFLAGS LDFLAGS LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH DESTDIR \
  FURCA_NUM_THREADS
export CXX="${CXX:-c++}" CMAKE_GENERATOR=Ninja

# ---- What the consumers share

fail() { echo "FAILED: $*"; exit 1; }

# said WORDS: what this consumer has shown, for its line.
said() { echo "$*" >"$work/said"; }

# need COMMAND...: all of them are there.
need() {
  missing=
  for tool in "$CXX" "$@"; do
    command -v "${tool%% *}" >/dev/null || missing="$missing $tool"
  done
  debian='g++ clang-14 meson ninja-build git pkg-config cmake binutils python3'
  [ -z "$missing" ] || fail "please install$missing (Debian's packages: $debian)"
}

# The tree as a repository, as a user finds it on the network.
remote() {
  [ ! -d "$work/remote" ] || return 0
  mkdir "$work/remote"
  cd "$top"
  if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$top" ]; then
    git ls-files -co --exclude-standard |
      while read -r file; do [ ! -e "$file" ] || echo "$file"; done >"$work/files"
  else  # from an archive
    find . -type f -not -path './build*' -not -path './.git/*' >"$work/files"
  fi
  tar -cf - -T "$work/files" | tar -xf - -C "$work/remote"
  cd "$work/remote"
  commit furca
}

# commit MESSAGE: all that is here, as the first commit of a repository, whatever the user's
# settings are.
commit() {
  git init -q -b main .
  git add -A
  git -c user.name=consumer -c user.email=consumer -c commit.gpgsign=false commit -q -m "$1"
}

# project NAME AS: goes to a copy of the project, at a place with a space in its name.
project() {
  mkdir -p "$work/my projects"
  cp -R "$here/$1" "$work/my projects/$2"
  cd "$work/my projects/$2"
}

pages='README.md examples/guide/install.md'

# wrap KIND: the wrap file of that kind that the README or install.md shows, with an address.
wrap() {
  (cd "$top" && sed -n "/^\[wrap-$1\]/,/^\`\`\`/p" $pages) |
    sed -e '/^```/d' -e "s|<the address of this repository>|file://$work/remote|"
}

# One translation unit, which compiles in a fifth of the time.
unity='-Dunity_size=1000 -Dunity'

# prefix KIND: furca installed as a static or a shared library, to $work/KIND.
prefix() {
  if [ ! -d "$work/$1" ]; then
    remote
    meson setup --fatal-meson-warnings --wrap-mode=nodownload --prefix="$work/$1" \
      --buildtype=plain $unity=on -Ddefault_library="$1" \
      "$work/build-$1" "$work/remote"
    meson install -C "$work/build-$1"
    compiled=$(cd "$work/build-$1" && find . -name '*.o' ! -path './src/libfurca.*')
    [ -z "$compiled" ] || fail "meson install compiles more than the library: $compiled"
  fi
  libdir=$(dirname "$(find "$work/$1" -name 'libfurca.*' | head -n 1)")
  export PKG_CONFIG_PATH="$libdir/pkgconfig"
}

# no_warnings: nothing that this consumer has run has warned.
no_warnings() {
  grep -inE 'warning|deprecat' "$log" >"$work/warnings" || return 0
  cat "$work/warnings"
  fail 'there are warnings'
}

# is_linked_with_shared PROGRAM: it needs a libfurca, and the one of this minor version.
is_linked_with_shared() { readelf -d "$1" | grep NEEDED | grep -F "[libfurca.so.$minor]"; }

# expect_files DIRECTORY FILE...: these are all files there, in this order.
expect_files() {
  found=$(cd "$1" && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort)
  shift
  [ "$found" = "$(printf '%s\n' "$@")" ] || fail "expected only: $*; there is: $found"
}

# ---- The consumers

# A project with subprojects/furca.wrap, as the README shows it: nothing but the library comes
# along, and nothing is left behind.
take_wrap_git() {
  need git meson ninja python3
  remote
  project compute wrap_git
  mkdir subprojects
  wrap git >subprojects/furca.wrap
  commit consumer
  meson setup --fatal-meson-warnings $unity=subprojects ../wrap_git_build
  meson test -C ../wrap_git_build --print-errorlogs
  no_warnings
  [ "$(meson test -C ../wrap_git_build --list 2>/dev/null | grep -v '^ninja:')" = compute ] ||
    fail "the consumer's tests are not the only ones"
  meson introspect --targets ../wrap_git_build >targets
  targets=$(python3 -c \
    'import json; print(*sorted(target["name"] for target in json.load(open("targets"))))')
  rm targets
  [ "$targets" = 'compute furca' ] || fail "targets: $targets"
  meson install -C ../wrap_git_build --destdir "$PWD/../wrap_git_installed"
  expect_files ../wrap_git_installed usr/local/bin/compute
  [ "$(git status --porcelain)" = '?? subprojects/furca/' ] ||
    fail "the consumer's tree has changed: $(git status --porcelain)"
  said "the README's wrap: a library and no test, nothing of furca's installed, a clean tree"
}

# The sources as subprojects/furca, static and shared, in a project whose standard is C++17.
take_subproject() {
  need git meson ninja readelf
  remote
  project compute subproject
  mkdir subprojects
  cp -R "$work/remote" subprojects/furca
  meson setup --fatal-meson-warnings --wrap-mode=nodownload $unity=subprojects ../subproject_static
  meson test -C ../subproject_static --print-errorlogs
  ! is_linked_with_shared ../subproject_static/compute || fail 'not static'
  meson install -C ../subproject_static --destdir "$PWD/../subproject_static_installed"
  expect_files ../subproject_static_installed usr/local/bin/compute

  meson setup --fatal-meson-warnings --wrap-mode=nodownload $unity=subprojects \
    -Dfurca:default_library=shared --libdir=lib ../subproject_shared
  meson test -C ../subproject_shared --print-errorlogs
  is_linked_with_shared ../subproject_shared/compute || fail 'not shared'
  installed=$PWD/../subproject_shared_installed
  meson install -C ../subproject_shared --destdir "$installed"
  expect_files "$installed" usr/local/bin/compute usr/local/lib/libfurca.so \
    "usr/local/lib/libfurca.so.$minor" "usr/local/lib/libfurca.so.$version"
  LD_LIBRARY_PATH=$installed/usr/local/lib "$installed/usr/local/bin/compute"
  no_warnings
  said 'unpacked, static and shared, in a C++17 project; a shared one is installed with its program'
}

# The archive of a release: all that is in the repository, and enough to build, to install and to be
# wrapped, without a network.
take_dist() {
  need git meson ninja sha256sum python3
  remote
  git clone -q "file://$work/remote" "$work/dist"
  meson setup "$work/dist/build" "$work/dist"
  meson dist -C "$work/dist/build" --no-tests
  cd "$work/dist/build/meson-dist"
  expect_files . "furca-$version.tar.xz" "furca-$version.tar.xz.sha256sum"
  sha256sum -c "furca-$version.tar.xz.sha256sum"

  mkdir "$work/unpacked"
  python3 -m tarfile -e "furca-$version.tar.xz" "$work/unpacked"
  git -C "$work/remote" ls-files | LC_ALL=C sort >"$work/listed"
  (cd "$work/unpacked/furca-$version" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) |
    diff "$work/listed" - || fail 'the archive is not what the repository has'
  for file in LICENSE README.md CHANGELOG.md meson_options.txt subprojects/doctest.wrap \
    include/furca/furca.hpp src/cmake/furcaConfig.cmake.in; do
    [ -f "$work/unpacked/furca-$version/$file" ] || fail "the archive lacks $file"
  done

  meson setup --fatal-meson-warnings --wrap-mode=nodownload --buildtype=plain $unity=on \
    "$work/unpacked/build" "$work/unpacked/furca-$version"
  meson install -C "$work/unpacked/build" --destdir "$work/unpacked/installed"
  for file in furcaConfig.cmake LICENSE; do
    [ -f "$(find "$work/unpacked/installed" -name $file)" ] || fail "no $file installed"
  done

  project compute dist
  mkdir -p subprojects/packagecache
  cp "$work/dist/build/meson-dist/furca-$version.tar.xz" subprojects/packagecache/
  read -r hash _ <"$work/dist/build/meson-dist/furca-$version.tar.xz.sha256sum"
  wrap file | sed "s|<the first word of .*>|$hash|" >subprojects/furca.wrap
  meson setup --fatal-meson-warnings --wrap-mode=nodownload $unity=subprojects ../dist_build
  meson test -C ../dist_build --print-errorlogs
  no_warnings
  rm -r "subprojects/furca-$version"
  wrap file | sed "s|<the first word of .*>|$(printf %064d 0)|" >subprojects/furca.wrap
  ! meson setup --wrap-mode=nodownload ../dist_refused ||
    fail 'an archive with a wrong hash is taken'
  said "meson dist has the repository's files, builds and installs offline, also wrapped"
}

# An installed furca, with a compiler and pkg-config alone. Not as a system header: its warnings
# would be seen.
take_pkg_config() {
  need git meson ninja pkg-config readelf
  for program in compute join; do
    prefix static
    $CXX -std=c++20 $strict -c "$here/compute/$program.cpp" $(pkg-config --cflags furca) \
      -o "$work/$program.o"
  done
  for kind in static shared; do
    prefix $kind
    pkg-config --atleast-version="$minor" furca || fail 'pkg-config does not know the version'
    [ "$(pkg-config --modversion furca)" = "$version" ] ||
      fail "pkg-config says version $(pkg-config --modversion furca)"
    pkg-config --static --libs furca | grep -e '-pthread' ||
      fail 'pkg-config --static forgets the threads'
    for program in compute join; do
      $CXX "$work/$program.o" $(pkg-config --libs furca) -o "$work/$program-$kind"
      LD_LIBRARY_PATH=$libdir "$work/$program-$kind"
    done
    $CXX -std=c++20 $strict "$here/compute/onetbb.cpp" $(pkg-config --cflags --libs furca-tbb) \
      -o "$work/onetbb-$kind"
    LD_LIBRARY_PATH=$libdir "$work/onetbb-$kind"
  done
  project compute pkg_config
  prefix static
  grep -h '^c++ .* furca)' "$top/README.md" >command
  sed "s|^c++|$CXX|" command | sh -e
  ./compute
  ! is_linked_with_shared "$work/compute-static" || fail 'the static prefix gives a shared library'
  is_linked_with_shared "$work/compute-shared" || fail 'the shared prefix gives no shared library'
  said "$(cat command), as the README has it, static and shared (libfurca.so.$minor)"
}

# What is installed is what is tested, and all public headers of it compile. (tests/headers has each
# of them alone.)
take_installed_headers() {
  need git meson ninja
  prefix static
  diff -r "$work/remote/include/furca" "$work/static/include/furca" ||
    fail 'the headers installed are not those of the source'
  # that one needs MPI
  headers=$(cd "$work/static/include" && printf '%s\n' furca/*.hpp | grep -vxF furca/mpi.hpp)
  printf '#include <%s>\n' $headers |
    $CXX -std=c++20 $strict -fsyntax-only -I"$work/static/include" -x c++ -
  # plugs that need no other library, and OpenCV's where it is
  plugs='callbacks pthreadpool'
  opencv=/usr/include/opencv4
  [ ! -e $opencv/opencv2/core/parallel/parallel_backend.hpp ] || plugs="$plugs opencv"
  printf '#include <furca/plugs/%s.hpp>\n' $plugs |
    $CXX -std=c++20 $strict -fsyntax-only -I"$work/static/include" -isystem $opencv -x c++ -
  said "$(echo "$headers" | wc -l) public headers in one program, no warning; plugs for: $plugs"
}

# find_package, of prefixes that have been moved to a place with a space in its name.
take_cmake() {
  need git meson ninja cmake readelf
  for kind in static shared; do
    prefix $kind
    project compute "cmake_$kind"
    mkdir -p "$work/moved to/a place"
    cp -R "$work/$kind" "$work/moved to/a place/$kind"
    cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/moved to/a place/$kind" \
      -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror'
    cmake --build build
    (cd build && ctest --output-on-failure)
    grep -F "furca_DIR:PATH=$work/moved to/a place/$kind/" build/CMakeCache.txt ||
      fail 'another furca was found'
  done
  ! is_linked_with_shared ../cmake_static/build/compute ||
    fail 'the static prefix gives a shared library'
  is_linked_with_shared ../cmake_shared/build/compute ||
    fail 'the shared prefix gives no shared library'
  no_warnings

  project cmake_versions cmake_versions
  patch=${version##*.}
  major=${version%%.*}
  cmake -S . -B build -DCMAKE_PREFIX_PATH="$work/static" -DMAJOR="$major" -DMINOR="${minor#*.}" \
    -DPATCH="$patch"
  # refused SAYS ARGUMENTS: what the user reads.
  refused() {
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(refused CXX)\nfind_package(furca %s)\n' \
      "$2" >CMakeLists.txt
    ! cmake -S . -B refused -DCMAKE_PREFIX_PATH="$work/static" >said 2>&1 ||
      fail "find_package(furca $2) is not refused"
    cat said
    tr -s ' \n' ' ' <said | grep -qF "$1" || fail "find_package(furca $2) does not say: $1"
  }
  refused 'compatible with requested version "9"' '9 REQUIRED'
  refused "version: $version" '9 REQUIRED'
  refused 'furca has no components, and no tbb' "$minor REQUIRED COMPONENTS tbb"
  said 'find_package(furca), static and shared, of a moved prefix; what does not fit is refused'
}

# find_package for Windows, by mingw-w64, of a static furca and of a DLL, in Wine.
take_cmake_windows() {
  compiler=x86_64-w64-mingw32-g++-posix
  wine=/usr/lib/wine/wine64
  need git meson ninja cmake $compiler $wine
  export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES=winedbg.exe=d
  remote
  for kind in static shared; do
    installed=$work/windows_$kind
    meson setup --wrap-mode=nodownload --prefix="$installed" --buildtype=plain $unity=on \
      --cross-file "$work/remote/tests/cross/windows.ini" -Dcpp_link_args= \
      -Ddefault_library=$kind "$work/build-windows-$kind" "$work/remote"
    meson install -C "$work/build-windows-$kind"
    project compute "cmake_windows_$kind"
    cmake -S . -B build -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_CXX_COMPILER=$compiler \
      -DCMAKE_CROSSCOMPILING_EMULATOR=$wine -DCMAKE_PREFIX_PATH="$installed"
    cmake --build build
    for file in libstdc++-6.dll libgcc_s_seh-1.dll libwinpthread-1.dll; do
      cp "$($compiler -print-file-name=$file)" build
    done
    [ $kind = static ] || cp "$installed"/bin/libfurca*.dll build
    (cd build && ctest --output-on-failure)
  done
  no_warnings
  said 'find_package(furca) by mingw-w64, static and as a DLL, in Wine'
}

# find_package(TBB) takes furca by TBB_DIR, and by nothing else.
take_cmake_tbb() {
  need git meson ninja cmake
  prefix static
  prefix shared
  project cmake_tbb cmake_tbb
  for kind in static shared; do
    package=$(dirname "$(find "$work/$kind" -name TBBConfig.cmake)")
    cmake -S . -B $kind -DTBB_DIR="$package" -DPROGRAM="$here/compute/onetbb.cpp" \
      -DCMAKE_CXX_FLAGS="$strict"
    cmake --build $kind
    (cd $kind && ctest --output-on-failure)
  done
  ! cmake -S . -B without -DCMAKE_PREFIX_PATH="$work/static" >said 2>&1 ||
    ! grep -F "$work/static" without/CMakeCache.txt | grep TBB_DIR ||
    fail 'furca is found as TBB where nobody asked for it'
  said 'find_package(TBB) with TBB_DIR=.../furca/tbb: TBB::tbb, TBB::tbbmalloc, versions'
}

# Without C++20 one error says so, and the hundreds that would follow are not there.
take_cxx17() {
  need git meson ninja cmake
  prefix static
  # told COMMAND...: it fails, and says so.
  told() {
    ! "$@" >said 2>&1 || fail 'C++17 compiles'
    cat said
    told='furca needs C++20: compile with -std=c++20 (Meson: cpp_std=c++20; CMake'
    [ "$(grep -c "error:.*$told" said)" = 1 ] || fail 'there is not one error that tells what to do'
    # the other is where it stops
    [ "$(grep -c 'error:' said)" = 2 ] || fail 'the compiler goes on after it'
  }
  project cxx17 cxx17
  meson setup --fatal-meson-warnings --buildtype=plain meson
  told ninja -C meson
  cmake -S . -B cmake -DCMAKE_PREFIX_PATH="$work/static"
  cmake --build cmake
  told cmake --build cmake --target not_raised
  said 'one error that tells what to do; CMake raises the standard of what links furca::furca'
}

# Two shared libraries in one program.
take_two_libraries() {
  need git meson ninja pkg-config
  for kind in static shared; do
    prefix $kind
    project two_libraries "two_libraries_$kind"
    meson setup --fatal-meson-warnings --buildtype=plain -Dkind=$kind build
    meson test -C build --verbose
  done
  no_warnings
  said 'shared: one pool. Static inside each: one when linked, one each when loaded apart or closed'
}

# Objects of g++ and of clang 14, which has no std::source_location, in one program, in both orders,
# with a library of either: each call is observed at its own line.
take_two_compilers() {
  need git clang++-14
  remote
  project two_compilers two_compilers
  cp -R "$work/remote" furca
  for compiler in g++ clang++-14; do
    $compiler -std=c++20 -O1 -pthread -Ifurca/include -c furca/src/furca.cpp -o $compiler.o
    ! nm -C --defined-only $compiler.o | grep -i ' T .*source_*location' ||
      fail "the library's functions take what the other compiler does not have"
  done
  for optimisation in -O0 -O2; do
    g++ -std=c++20 $strict $optimisation -pthread -Ifurca/include -c first.cpp -o first.o
    clang++-14 -std=c++20 $strict $optimisation -pthread -Ifurca/include -c second.cpp -o second.o
    for order in 'first.o second.o g++.o' 'second.o first.o clang++-14.o'; do
      g++ -pthread $order -o compute
      FURCA_STATS=span ./compute 2>spans
      cat spans
      for file in second.cpp calls.hpp; do
        loop="loop $file:$(sed -n '/parallel_for/=' $file)"
        grep -q "$loop" spans || fail "$order at $optimisation: no $loop"
      done
      ! grep 'line not known' spans || fail "$order at $optimisation: a line is not known"
    done
  done
  said 'objects and libraries of g++ and of clang 14 in one program: every call has its line'
}

# A host without furca loads and unloads a plugin with furca.
take_plugin() {
  need git meson ninja pkg-config
  for kind in static shared; do
    prefix $kind
    project plugin "plugin_$kind"
    meson setup --fatal-meson-warnings --buildtype=plain build
    meson test -C build --verbose
  done
  no_warnings
  said 'loaded, used and unloaded 100 times, with furca static inside and shared: no thread left'
}

# furca's sources in a CMake project, by the README's lines, static and shared. The shared library
# is the one that Meson installs: the same files, name and exports.
take_cmake_sources() {
  need git meson ninja cmake readelf nm
  prefix shared
  project compute cmake_sources
  {
    printf 'cmake_minimum_required(VERSION 3.18)\nproject(compute CXX)\n'
    printf 'add_executable(compute compute.cpp)\nadd_executable(onetbb onetbb.cpp)\n'
    sed -e '1,/^```cmake/d' "$top/README.md" |
      sed -e '/^```/,$d' -e "s|<the address of this repository>|file://$work/remote|"
    printf 'target_link_libraries(onetbb PRIVATE furca::tbb)\n'
  } >CMakeLists.txt
  cmake -S . -B static -DFURCA_PORTABLE=ON -DCMAKE_CXX_FLAGS="$strict"
  cmake -S . -B shared -DBUILD_SHARED_LIBS=ON \
    -DFETCHCONTENT_SOURCE_DIR_FURCA="$PWD/static/_deps/furca-src"
  for kind in static shared; do
    cmake --build $kind
    $kind/compute
    $kind/onetbb
  done
  no_warnings
  ! is_linked_with_shared static/compute || fail 'not static'
  is_linked_with_shared shared/compute || fail 'not shared'

  cmake --install shared --prefix installed
  expect_files installed/lib libfurca.so "libfurca.so.$minor" "libfurca.so.$version"
  exports() { nm -D --defined-only "$1" | sed 's/^[^ ]* //' | LC_ALL=C sort; }
  exports "$libdir/libfurca.so" >theirs
  exports installed/lib/libfurca.so | diff theirs - ||
    fail 'it exports other names than the library that Meson installs'
  # asks_system LIBRARY: it calls what is Linux alone.
  asks_system() { nm -u "$1" | grep -qw sched_getaffinity; }
  asks_system installed/lib/libfurca.so || fail 'the library asks nothing of Linux'
  ! asks_system static/_deps/furca-build/libfurca.a || fail 'FURCA_PORTABLE is not heard'
  said 'FetchContent as in the README, static and shared, as Meson installs it; FURCA_PORTABLE'
}

# One command line.
take_no_build_system() {
  need git
  remote
  project compute no_build_system
  cp -R "$work/remote" furca
  for page in $pages; do
    grep '^c++ .* furca/src/' "$top/$page" | tee said_there
    ! cmp -s said_there command || continue  # the page before says the same
    mv said_there command
    sed "s|^c++|$CXX $strict|" command | sh -e
    ./compute
    rm compute
  done
  said "$(cat command), as the README and install.md have it, no warning"
}

# ---- All of them

passed=0
failed=0
for consumer in ${*:-$all}; do
  start=$(date +%s)
  (
    set -e
    take_$consumer
  ) >"$log" 2>&1
  if [ $? = 0 ]; then
    passed=$((passed + 1))
    echo "ok      $consumer ($(($(date +%s) - start)) s): $(cat "$work/said")"
  else
    failed=$((failed + 1))
    echo "FAILED  $consumer ($(($(date +%s) - start)) s)"
    sed 's/^/        /' "$log"
  fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
