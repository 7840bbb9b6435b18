#!/usr/bin/env python3
"""Each example has a row and a command in examples/README.md, and the commands do what they should:
readme_commands.py TOP [DIRECTORY].

Every examples/NAME.cpp has a row of that page's table and a line build/examples/NAME in a fenced
block, and there are no others. With DIRECTORY, where the examples are built, each line of that page
and of README.md that begins with build/examples/ is run, in a directory of its own since some write
files: it must exit with 0 and print something.
Exit code 77, which Meson calls skipped: a directory of DEBIANS is not here, so the lines with it
are left out.
"""
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

DEBIANS = ('/usr/share/common-licenses', '/usr/include')
SECONDS = 60  # for what takes one or two in an optimised build: what takes longer hangs


def commands(page):
    """Lines of fenced blocks that run an example, as lists of words."""
    blocks = re.findall(r'^```sh\n(.*?)^```', page, re.MULTILINE | re.DOTALL)
    return [
        shlex.split(line, comments=True)
        for block in blocks
        for line in block.splitlines()
        if line.startswith('build/examples/')
    ]


def check(page, examples):
    """What is wrong with the page, where these are the names of all examples."""
    rows = re.findall(r'^\| `(\w+)', page, re.MULTILINE)
    runs = [command[0].rsplit('/', 1)[1] for command in commands(page)]
    wrong = []
    for what, there in (('row', rows), ('command', runs)):
        wrong += [
            f'examples/README.md has no {what} for examples/{name}.cpp'
            for name in sorted(set(examples) - set(there))
        ]
        wrong += [
            f'examples/README.md has a {what} for {name}, and there is no examples/{name}.cpp'
            for name in sorted(set(there) - set(examples))
        ]
    return wrong


def run(command, directory):
    """What is wrong with what the command does; it stands on the page as it is run here, but for
    the directory."""
    program = Path(directory).resolve() / command[0].removeprefix('build/examples/')
    with tempfile.TemporaryDirectory() as scratch:
        try:
            ended = subprocess.run(
                [program, *command[1:]],
                cwd=scratch,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except OSError as error:
            return [f'{shlex.join(command)}: {error}']
        except subprocess.TimeoutExpired:
            return [f'{shlex.join(command)}: has not ended after {SECONDS} s']
    print(f'$ {shlex.join(command)}\n{ended.stdout}{ended.stderr}')
    wrong = []
    if ended.returncode != 0:
        wrong.append(f'{shlex.join(command)}: exit code {ended.returncode}')
    if not ended.stdout.strip():
        wrong.append(f'{shlex.join(command)}: prints nothing')
    return wrong


def main(top, directory=None):
    pages = [Path(top, name).read_text() for name in ('examples/README.md', 'README.md')]
    wrong = check(pages[0], [path.stem for path in Path(top, 'examples').glob('*.cpp')])
    missing = set()
    for command in sum(map(commands, pages), []) if directory and not wrong else []:
        not_here = [
            word for word in command[1:] if word.startswith(DEBIANS) and not Path(word).exists()
        ]
        missing.update(not_here)
        wrong += [] if not_here else run(command, directory)
    print('\n'.join(wrong), end='\n' if wrong else '')
    if not wrong and missing:
        print('left out, for they are not here:', *sorted(missing))
        return 77
    return 1 if wrong else 0


if __name__ == '__main__':
    if len(sys.argv) not in (2, 3):
        sys.exit('usage: readme_commands.py TOP [DIRECTORY]')
    sys.exit(main(*sys.argv[1:]))
