#!/bin/sh
# Builds furca-bench and runs it; on Debian it installs first what is missing. All arguments go to
# furca-bench (--help). The tables with the charts are in report.html in the build directory, unless
# --html names another file; all samples in results.json, unless --json does. BUILD: the build
# directory, build-bench at the top of the tree. CXX: the compiler, when that directory is first
# configured.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-bench}

missing() {
  [ -n "${CXX:-}" ] || command -v c++ >/dev/null || command -v g++ >/dev/null || echo g++
  command -v meson >/dev/null || echo meson
  command -v ninja >/dev/null || echo ninja-build
  command -v pkg-config >/dev/null || echo pkg-config
  pkg-config --exists 'tbb >= 2021' 2>/dev/null || echo libtbb-dev
}

if [ -n "${CXX:-}" ] && ! command -v "${CXX%% *}" >/dev/null; then  # it may be "ccache g++"
  echo "run.sh: no such compiler: $CXX" >&2
  exit 2
fi

packages=$(missing | tr '\n' ' ')
if [ -n "$packages" ]; then
  install="apt-get install -y --no-install-recommends $packages"
  if ! command -v apt-get >/dev/null; then
    if [ "$packages" != "libtbb-dev " ]; then
      echo "run.sh: please install what Debian calls: $packages" >&2
      exit 2
    fi
    echo "run.sh: no oneTBB here: furca is compared with the serial run alone" >&2
  else
    if [ "$(id -u)" = 0 ]; then
      as_root=env
    elif command -v sudo >/dev/null; then
      as_root="sudo env"
    else
      echo "run.sh: please run first, as root: $install" >&2
      exit 2
    fi
    echo "run.sh: installs $packages" >&2
    # shellcheck disable=SC2086  # lists of words
    if ! { $as_root apt-get update -qq &&
           $as_root DEBIAN_FRONTEND=noninteractive $install; } >/dev/null; then
      echo "run.sh: could not install; please run, as root: $install" >&2
      exit 2
    fi
    # it may have been configured without oneTBB
    [ ! -f "$build/build.ninja" ] || reconfigure=--reconfigure
  fi
fi

if [ ! -f "$build/build.ninja" ] || [ -n "${reconfigure:-}" ]; then
  meson setup "$build" --buildtype=release --wrap-mode=nodownload ${reconfigure:-} >&2
fi
meson compile -C "$build" furca-bench >&2
case " $* " in *" --help "* | *" --list "*) exec "$build/bench/furca-bench" "$@" ;; esac
results=
case " $* " in
  *" --json "* | *" --show "*) ;;
  *) results=$build/results.json; set -- --json "$results" "$@" ;;
esac
case " $* " in *" --html "*) ;; *) set -- --html "$build/report.html" "$@" ;; esac
code=0
"$build/bench/furca-bench" "$@" || code=$?
if [ -n "$results" ] && [ "$code" -le 1 ]; then
  echo "$results has all samples and no name of a host, a person or a folder: you can send it;" \
    "$build/bench/furca-bench --show $results prints it"
fi
exit "$code"
