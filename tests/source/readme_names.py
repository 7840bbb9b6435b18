#!/usr/bin/env python3
"""Fails when README.md shows what is not there (any more): readme_names.py TOP.

1. folders in backticks (`include/furca/`), headers (`<furca/furca.hpp>`), packages of Debian: one
   of its scripts installs them;
2. commands, in fenced blocks and in backticks: scripts exist, and take the options they are shown
   with, also those of the comment behind them; Meson has the subcommand, the option and its value;
   what is in build/ is built, and what is in build-bench/ written, under that name; what any page
   compiles by name is one target of meson.build, since Meson takes no name of two;
3. versions: what a program asks for (`>=0.1`), install.md shows and recipes of packages name is
   the version of meson.build; the wrap provides what meson.build does.

Links and their headings: src/doxygen/links.py. Blocks of C++: src/doxygen/guide.py. Names of files
and in the text: prose.py. Functions: functions.py. What examples do: readme_commands.py. The line
without a build system and the wrap: tests/consumers/run.sh.
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

# Where a script has its options, if not in itself.
OPTIONS_OF = {'bench/run.sh': 'bench/furca_bench.py', 'bench/own.sh': 'bench/own.py'}
SHOW_VERSION = (
    'README.md',
    'examples/guide/install.md',
    'src/packaging/vcpkg/vcpkg.json',
    'src/packaging/wrapdb/furca.wrap',
)
OTHERS_FOLDERS = ('subprojects/',)  # in the reader's project
SHELL = re.compile(r'^```sh\n(.*?)^```', re.M | re.S)
TICKED = re.compile(r'`([^`\n]+)`')
COMMAND = re.compile(r'(?:sh|meson|python3|build/\S+) ')
COMPILES = re.compile(r'meson compile((?: [\w-]+)*)')
OPTION = re.compile(r'(?<![\w-])(--[a-z][\w-]*)(?:=(\w+))?(?: (all|\d[\d,]*))?')


def commands(page):
    """Lines of shell in fenced blocks, with their comments, and what stands in backticks and begins
    as a command."""
    lines = [line for block in SHELL.findall(page) for line in block.splitlines()]
    return [line for line in lines + TICKED.findall(page) if COMMAND.match(line + ' ')]


def meson_help(subcommand):
    """What `meson SUBCOMMAND --help` says; empty without such a subcommand, None without Meson."""
    try:
        ended = subprocess.run(
            ['meson', subcommand, '--help'], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return ended.stdout if ended.returncode == 0 else ''


class Page:
    def __init__(self, top, help_of=meson_help):
        self.top, self.help_of = Path(top), help_of
        self.text = self.read('README.md')

    def read(self, path):
        return Path(self.top, path).read_text()

    def all_of(self, *patterns):
        return '\n'.join(
            path.read_text() for pattern in patterns for path in sorted(self.top.glob(pattern))
        )

    def script(self, words, options):
        """What is wrong with `sh SCRIPT ...`."""
        if not Path(self.top, words[1]).is_file():
            return [f'there is no script {words[1]}']
        has = self.read(OPTIONS_OF.get(words[1], words[1]))
        wrong = []
        for option, _, value in options:
            if not re.search(rf'''["']{option}["']|^  {option} ''', has, re.M):
                wrong.append(f'{words[1]} has no option {option}')
            elif value and not re.search(
                rf'{option} {"all" if value == "all" else "(?:N|1)"}\b', has
            ):
                wrong.append(f'{words[1]} has no {option} {value}')
        return wrong

    def meson(self, words, options):
        """What is wrong with `meson ...`."""
        text = self.help_of(words[1])
        if text is None:
            return []
        if not text:
            return [f'meson has no {words[1]}']
        wrong = [
            f'meson {words[1]} has no {option}={value}'
            for option, value, _ in options
            if not re.search(rf'{option} (?:\{{[^}}]*\b{value}\b|[A-Z])', text)
        ]
        return wrong

    def built(self, path):
        """What is wrong with the name of a file that a build makes, or a script in build-bench/."""
        directory, _, name = path.partition('/')
        if directory != 'build':
            scripts = self.all_of('*/run.sh')
            return (
                []
                if f':-{directory}}}' in scripts and f'/{name}' in scripts
                else [f'no script writes {path}']
            )
        folder, _, program = name.rpartition('/')
        while folder and not Path(self.top, folder, 'meson.build').is_file():
            folder, _, program = folder.rpartition('/')
        if (
            not folder
            or not re.search(rf"'{program}'", self.read(f'{folder}/meson.build'))
            and not list(Path(self.top, folder).glob(f'{program}.*'))
            and not (program in self.all_of(f'{folder}/*.in', f'{folder}/*.py'))
        ):
            return [f'nothing builds {path}']
        return []

    def check_commands(self):
        wrong = []
        for line in commands(self.text):
            options = OPTION.findall(line)
            for command in line.split(' #')[0].split('&&'):
                words = shlex.split(command)
                if words[0] == 'sh':
                    wrong += self.script(words, options)
                elif words[0] == 'meson':
                    wrong += self.meson(
                        words, [option for option in options if option[0] in command]
                    )
                elif words[0] == 'python3' and not Path(self.top, words[1]).is_file():
                    wrong.append(f'there is no {words[1]}')
        for path in re.findall(r'(?<![\w/.])(build(?:-\w+)?/[\w./-]+\w)', self.text):
            wrong += self.built(path)
        return wrong

    def check_targets(self):
        has = self.all_of('meson.build', '*/meson.build', '*/*/meson.build')
        wrong = []
        for command in COMPILES.findall(self.all_of('*.md', '*/*.md', '*/*/*.md')):
            for target in command.split():
                if target.startswith(('-', 'build')):
                    continue
                of_that_name = re.findall(rf"(?:target|executable|library)\('{target}'", has)
                if len(of_that_name) != 1:
                    wrong.append(f'meson.build has {len(of_that_name)} targets {target}')
        return wrong

    def check_names(self):
        ticked = TICKED.findall(self.text)
        wrong = [
            f'there is no folder {folder}'
            for folder in ticked
            if re.fullmatch(r'[\w./-]+/', folder)
            and folder not in OTHERS_FOLDERS
            and not Path(self.top, folder).is_dir()
        ]
        wrong += [
            f'there is no header {header}'
            for header in re.findall(r'<(furca/[\w/]+\.hpp)>', self.text)
            if not Path(self.top, 'include', header).is_file()
        ]
        scripts = self.all_of('*/run.sh')
        return wrong + [
            f'no script installs {package}'
            for package in ticked
            if re.fullmatch(r'[a-z][\w-]*-dev', package) and package not in scripts
        ]

    def check_versions(self):
        build = self.read('meson.build')
        version = re.search(r"^  version: '(\d+\.\d+)\.\d+'", build, re.M)[1]
        following = f"{version.split('.')[0]}.{int(version.split('.')[1]) + 1}"
        wrong = []
        for path in SHOW_VERSION:
            page = self.read(path)
            shown = re.findall(
                r"version: \['>=([\d.]+)', '<|find_package\(furca ([\d.]+)"
                r'|"version": "(\d+\.\d+)'
                r'|furca-(\d+\.\d+)\.\d|\.so\.(\d+\.\d+)|v(\d+\.\d+)\.\d',
                page,
            )
            wrong += [
                f'{path} asks for version {found}, and meson.build has {version}'
                for found in map(''.join, shown)
                if found != version
            ]
            if not shown:
                wrong.append(f'{path} asks for no version')
            wrong += [
                f'{path} takes versions up to {below}, and the next minor version is {following}'
                for below in re.findall(r"version: \['>=[\d.]+', '<([\d.]+)'\]", page)
                if below != following
            ]
            for provided in re.findall(r'^dependency_names = (.*)', page, re.M):
                wrong += [
                    f'{path} has {name} in its wrap, and meson.build does not provide it'
                    for name in provided.split(', ')
                    if f"override_dependency('{name}'" not in build
                ]
        return wrong

    def check(self):
        """What is wrong with the page."""
        return (
            self.check_names()
            + self.check_commands()
            + self.check_targets()
            + self.check_versions()
        )


def main(top):
    wrong = Page(top).check()
    print('\n'.join(wrong), end='\n' if wrong else '')
    return 1 if wrong else 0


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit('usage: readme_names.py TOP')
    sys.exit(main(sys.argv[1]))
