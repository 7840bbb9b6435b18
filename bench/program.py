"""What the commands share that build a program of their own with the library."""
import os
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]


def build(source, compiler, flags, scratch, libraries=()):
    """A file of bench/, or several, with all of the library; the program, which has the name of the first."""
    own = [source] if isinstance(source, str) else source
    program = Path(scratch) / Path(own[0]).stem
    program.parent.mkdir(parents=True, exist_ok=True)
    alignment = ['-falign-functions=64', '-falign-loops=64']  # else the layout decides, by up to a half, about plain loops as well as others
    sources = [*(TOP / 'bench' / one for one in own), TOP / 'src' / 'furca.cpp']
    subprocess.run([*compiler.split(), '-std=c++20', '-DNDEBUG', *alignment, *flags.split(), '-I', TOP / 'include', *sources, '-o', program, '-pthread', *libraries], check=True)
    return program


def processor():
    try:
        lines = Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines()
    except OSError:
        return os.uname().machine
    return next((line.split(': ', 1)[1] for line in lines if line.startswith('model name') and ': ' in line), os.uname().machine)


def version(compiler):
    return subprocess.run([*compiler.split(), '--version'], capture_output=True, text=True, check=True).stdout.splitlines()[0]
