#!/usr/bin/env python3
"""furca-bench: runs furca-measure, and shows what it found as tables, page, charts and JSON.

furca_bench.py [FURCA_MEASURE] [option...]. Without a program, only --show and --help work. In a
build directory, bench/furca-bench is this with the program of that build.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from report import terminal  # noqa: E402
from report.chart import chart_document  # noqa: E402
from report.page import page  # noqa: E402
from report.results import check, load, text_of  # noqa: E402
from report.summary import summarized  # noqa: E402
from report.targets import MEASURED  # noqa: E402

USAGE = '''\
usage: furca-bench [options]
Compares furca with oneTBB, OpenMP and the serial run.

  --quick              smaller inputs, fewer rounds: under a minute
                       (default: under five minutes)
  --full               the largest inputs, more rounds: three quarters of an hour or so
  --targets            only what the project's targets are about, and whether they are reached;
                       with --full, at the sizes they name; with --show, of that run
  --filter SUBSTRING   only rows and probes whose name contains it, or of the group so called:
                       forks, loops, reductions, behaviour, micro, instructions
  --threads 1,2,...    numbers of threads to run the parallel contenders with; of three or more,
                       speed-ups, efficiency, and what bounds them
  --threads all        1, 2, 4 and so on to all processors, and where caches, sockets and cores end
  --rounds N           how often each contender runs, whatever time it takes
  --seed N             for the order within a round; otherwise random, and printed
  --text DIR           the text for wordcount (/usr/share/common-licenses)

  --json FILE          writes all samples
  --html FILE          writes a page: the chart of all ratios, and the tables
  --svg FILE           writes the chart of all ratios alone
  --show OLD.json      runs nothing: shows an earlier run (or writes its --html, --svg)

  --list               what there is to run
  --help               this text

Exit code: 0; 1 if a run died or gave a wrong result, or a file cannot be written;
2 for wrong arguments and for builds that cannot be timed. Being slower is no error.
'''
WRITERS = {'--json': text_of, '--html': page, '--svg': chart_document}
OURS = (*WRITERS, '--show')  # the options with a value that furca-measure has not


def refuse(why):
    print(f'furca-bench: {why}', file=sys.stderr)
    sys.exit(2)


def parse(words):
    """What is for this program, and what is for furca-measure."""
    ours, others = {}, []
    words = iter(words)
    for word in words:
        if word == '--help':
            print(USAGE, end='')
            sys.exit(0)
        if word in OURS:
            ours[word] = next(words, None)
            if ours[word] is None:
                refuse(f'{word} wants a value; see --help')
        elif word == '--targets':
            ours[word] = True
            others += [word for name in MEASURED for word in ('--only', name)]
        else:
            others.append(word)
    return ours, others


def show(lines):
    for line in lines:
        print(line, flush=True)


def measure(program, arguments):
    """Prints the heading as soon as the setting is known."""
    # argv[0] is what the messages begin with.
    with subprocess.Popen(
        ['furca-bench', *arguments], executable=program, text=True, stdout=subprocess.PIPE
    ) as child:
        setting = child.stdout.readline()
        if setting:
            show(terminal.heading(json.loads(setting)))
        found = child.stdout.read()
    if child.returncode != 0:
        sys.exit(child.returncode if child.returncode > 0 else 1)
    return check(json.loads(found))


def loaded(path):
    try:
        return load(path)
    except ValueError as error:
        refuse(error)


def refuse_unwritable(path):
    """Nobody should wait for minutes to hear that a directory does not exist."""
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent) if not Path(path).exists() else open(
            path, 'a', encoding='utf-8'
        ):
            pass
    except OSError:
        refuse(f'cannot write {path}')


def write(path, text):
    try:
        Path(path).write_text(text, encoding='utf-8')
    except OSError:
        print(f'furca-bench: could not write {path}', file=sys.stderr)
        return False
    print(f'wrote {path}', file=sys.stderr)
    return True


def main(words):
    program = words.pop(0) if words and not words[0].startswith('-') else None
    ours, others = parse(words)
    if '--list' in others:
        listed = subprocess.run(['furca-bench', *others], executable=program, check=False)
        sys.exit(listed.returncode)
    shown = loaded(ours['--show']) if '--show' in ours else None
    for option in WRITERS:
        if option in ours:
            refuse_unwritable(ours[option])
    if shown:
        show(terminal.heading(shown['setting']))
    elif program is None:
        refuse('--show FILE, or a furca-measure to run; see --help')
    results = summarized(shown or measure(program, others))
    show(terminal.tables(results))
    show(terminal.verdicts(results))
    if '--targets' in ours:
        show(terminal.targets(results))
    written = [
        write(ours[option], make(results)) for option, make in WRITERS.items() if option in ours
    ]
    return 0 if all(written) and results['failures'] == 0 else 1


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
