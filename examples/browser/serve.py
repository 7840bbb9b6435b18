#!/usr/bin/env python3
"""Builds the Mandelbrot explorer with emscripten and serves it: serve.py [--port N] [--out DIR]
[--built]

--out: where the page is built (build-browser). --built: it is there already. Shared memory, and so
threads, are for pages that come with the two headers below.
"""
import argparse
import functools
import http.server
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
HEADERS = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
}


def build(out):
    compiler = shutil.which('em++')
    if compiler is None:
        sys.exit('em++ is missing: https://emscripten.org, 3.1.69 or newer')
    out.mkdir(parents=True, exist_ok=True)
    words = ['-std=c++20', '-O3', '-pthread', '-fexceptions', '-D_LIBCPP_ENABLE_EXPERIMENTAL']
    words += [f'-I{TOP / "include"}', HERE / 'explorer.cpp', TOP / 'src/furca.cpp']
    words += ['-sPROXY_TO_PTHREAD', '-sINITIAL_MEMORY=512mb', '-sDEFAULT_PTHREAD_STACK_SIZE=2mb']
    subprocess.run([compiler, *words, '-o', out / 'explorer.js'], check=True)
    shutil.copy(HERE / 'index.html', out)


class Handler(http.server.SimpleHTTPRequestHandler):
    headers_sent = HEADERS

    def end_headers(self):
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_):
        pass


def server(out, port, handler=Handler):
    serving = functools.partial(handler, directory=out)
    return http.server.ThreadingHTTPServer(('127.0.0.1', port), serving)


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument('--port', type=int, default=8000)
    arguments.add_argument('--out', type=Path, default=TOP / 'build-browser')
    arguments.add_argument('--built', action='store_true')
    arguments = arguments.parse_args()
    if not arguments.built:
        build(arguments.out)
    serving = server(arguments.out, arguments.port)
    print(f'http://localhost:{serving.server_port}/', flush=True)
    try:
        serving.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == '__main__':
    main()
