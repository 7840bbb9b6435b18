"""What the tests share that build programs with other libraries: checks, commands, furca itself."""
import os
import subprocess
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STRICT = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']
passed = failed = 0


def check(name, right, said=''):
    global passed, failed
    if right:
        passed += 1
    else:
        failed += 1
        print(f'FAILED: {name}\n{said}'.rstrip(), flush=True)


def run(*command, **environment):
    """(exit code, what it prints); 124 if it takes ten minutes, 127 if it is not there."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            env={**os.environ, **environment},
        )
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as expired:
        return 124, f'{expired.stdout}\nit took more than ten minutes'
    except FileNotFoundError as absent:
        return 127, str(absent)


def unloadable(compiler):
    """Flags for a library that can be unloaded, with what of g++'s would hold it."""
    return ['-fPIC', '-fno-gnu-unique'] if compiler == 'g++' else ['-fPIC']


def furca(compiler, scratch, *flags):
    """All of furca as one object file, for programs, and for libraries that are unloaded."""
    number, built = tempfile.mkstemp('.o', 'furca', scratch)  # others may compile it meanwhile
    os.close(number)
    words = [f'-I{TOP / "include"}', *unloadable(compiler), *flags]
    code, said = run(compiler, '-std=c++20', *words, '-c', TOP / 'src/furca.cpp', '-o', built)
    check(f'furca compiles with {compiler} {" ".join(flags)}', code == 0, said)
    return built


def ended(what):
    """Prints what was tested, and returns the exit code."""
    print(f'{what}: {passed} passed, {failed} failed')
    return 1 if failed else 0
