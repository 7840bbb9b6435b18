#!/usr/bin/env python3
"""Draws the pictures of how_it_works.md and the chart of README.md: draw.py writes them beside
itself; draw.py --check fails if they are not what it would write."""
import json
import sys
from html import escape
from math import log2
from pathlib import Path

WIDTH = 760
STYLE = '''
  text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1f2933 }
  .small { font-size: 12px; fill: #52606d } .title { font-weight: 600 }
  .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px }
  .card { fill: #ffffff; stroke: #d0d7de } .line { stroke: #52606d; stroke-width: 1.5; fill: none }
  .head { fill: #52606d }
  .dash { stroke-dasharray: 4 3 } .plain { fill: #eef2f6; stroke: #9aa5b1 }
  .one { fill: #cfe3fb; stroke: #2f6fb5 } .two { fill: #fde3c4; stroke: #b86e00 }
  .done { fill: #dff2e1; stroke: #3b8b4a }
  .idle { fill: #ffffff; stroke: #9aa5b1; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .small { fill: #a9b4c0 } .card { fill: #161b22; stroke: #3b434d }
    .line { stroke: #a9b4c0 } .head { fill: #a9b4c0 }
    .plain { fill: #252c35; stroke: #6b7785 } .one { fill: #173a63; stroke: #6aa9ee }
    .two { fill: #55350a; stroke: #e0a04a }
    .done { fill: #1d3f25; stroke: #62b873 } .idle { fill: #161b22; stroke: #6b7785 }
  }'''


class Picture:
    def __init__(self, height, title, description, width=WIDTH):
        self.height, self.title, self.description, self.parts = height, title, description, []
        self.width = width

    def text(self, x, y, words, kind='', anchor='start'):
        self.parts.append(
            f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def lines(self, x, y, lines, kind='small', anchor='start', step=17):
        for i, line in enumerate(lines):
            self.text(x, y + i * step, line, kind, anchor)

    def box(self, x, y, width, height, kind, words='', word_kind=''):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" class="{kind}"/>'
        )
        if words:
            self.text(x + width / 2, y + height / 2 + 4.5, words, word_kind, 'middle')

    def arrow(self, path, kind=''):
        self.parts.append(f'<path d="{path}" class="line {kind}" marker-end="url(#head)"/>')

    def line(self, path, kind=''):
        self.parts.append(f'<path d="{path}" class="line {kind}"/>')

    def svg(self):
        width, body = self.width, '\n'.join(self.parts)
        return f'''<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{self.height}"
  viewBox="0 0 {width} {self.height}" role="img">
<title>{escape(self.title)}</title>
<desc>{escape(self.description)}</desc>
<style>{STYLE}
</style>
<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"
  orient="auto"><path d="M0 0L10 5L0 10z" class="head"/></marker></defs>
<rect x="0.5" y="0.5" width="{width - 1}" height="{self.height - 1}" rx="8" class="card"/>
{body}
</svg>
'''


def deque():
    p = Picture(
        200,
        'The deque',
        'A row of slots: thieves steal the oldest job at the top, the owner pushes and pops the '
        'newest at the bottom.',
    )
    for i, (kind, words) in enumerate(
        [
            ('idle', 'stolen'),
            ('two', 'oldest'),
            ('plain', ''),
            ('plain', ''),
            ('one', 'newest'),
            ('idle', 'free'),
        ]
    ):
        p.box(150 + 78 * i, 100, 72, 44, kind, words, 'small' if kind == 'idle' else '')
        p.text(186 + 78 * i, 162, str(6 + i), 'small code', 'middle')
    p.text(264, 188, 'top = 7', 'code', 'middle')
    p.text(576, 188, 'bottom = 11', 'code', 'middle')
    p.text(20, 30, 'a thief: any thread', 'title')
    p.lines(20, 48, ['steal(): reads top, fences, reads bottom,', 'then swaps top from 7 to 8'])
    p.arrow('M264 97C264 80 240 78 212 72')
    p.text(740, 30, 'the owner: one thread', 'title', 'end')
    p.lines(
        740,
        48,
        ['push(): the slot, then bottom = 12', 'pop(): bottom = 10, fences, reads top'],
        anchor='end',
    )
    p.arrow('M600 72C590 80 580 84 577 97')
    p.arrow('M498 97C498 84 510 78 540 72')
    return p


def lane(p, y, name, length):
    p.text(20, y + 19, name, 'title')
    p.line(f'M78 {y + 14}H{length}', 'dash')


def join():
    p = Picture(
        274,
        'The life of a join',
        'Above: b was not stolen, and the thread that forked it runs it. Below: b was stolen; the '
        'forker runs what b has forked until b is done.',
    )
    p.text(20, 30, 'Not stolen: nearly every join', 'title')
    lane(p, 48, 'A', 736)
    p.box(84, 48, 54, 28, 'plain', 'fork b', 'small')
    p.box(142, 48, 220, 28, 'one', 'runs a')
    p.box(366, 48, 54, 28, 'plain', 'take b', 'small')
    p.box(424, 48, 220, 28, 'one', 'runs b')
    p.box(648, 48, 54, 28, 'done', 'returns', 'small')
    p.text(20, 124, 'Stolen', 'title')
    lane(p, 142, 'A', 736)
    lane(p, 226, 'B', 736)
    p.box(84, 142, 54, 28, 'plain', 'fork b', 'small')
    p.box(142, 142, 168, 28, 'one', 'runs a')
    p.box(314, 142, 60, 28, 'plain', 'take: no', 'small')
    p.box(432, 142, 120, 28, 'two', 'runs b2')
    p.box(556, 142, 88, 28, 'idle', 'waits', 'small')
    p.box(648, 142, 54, 28, 'done', 'returns', 'small')
    p.box(190, 226, 54, 28, 'plain', 'steals b', 'small')
    p.box(248, 226, 120, 28, 'two', 'runs b: b1')
    p.box(372, 226, 226, 28, 'two', 'b1 goes on; b2 is gone')
    p.box(602, 226, 44, 28, 'plain', 'latch', 'small')
    p.arrow('M111 172C111 202 150 226 186 238')
    p.text(82, 215, 'steal', 'small')
    p.arrow('M344 222C350 196 380 160 428 156')
    p.text(400, 196, 'leapfrog: b2 is stolen back', 'small')
    p.arrow('M624 222C628 202 640 188 660 174')
    p.text(650, 205, 'b is done', 'small')
    return p


def loop():
    p = Picture(
        232,
        'Lazy splitting of a loop',
        'A loop publishes its upper half while it works on the lower in growing chunks. A thief '
        'does the same with what it took; a half that was not stolen is taken back.',
    )
    left, scale = 150, 0.5625  # 1,024 steps in 576

    def bar(y, start, end, kind, words='', word_kind='small'):
        p.box(left + start * scale, y, (end - start) * scale - 2, 26, kind, words, word_kind)

    p.text(left, 30, 'step 0', 'small')
    p.text(left + 1024 * scale, 30, '1,024', 'small', 'end')
    p.text(20, 58, 'A begins', 'title')
    bar(40, 0, 512, 'one', 'A goes on with this half')
    bar(40, 512, 1024, 'plain', 'published: in A’s deque')
    p.text(20, 106, 'B steals', 'title')
    for start, end in ((0, 16), (16, 48), (48, 112)):
        bar(88, start, end, 'done')
    bar(88, 112, 256, 'one', 'A’s next')
    bar(88, 256, 512, 'plain', 'published again')
    bar(88, 512, 768, 'two', 'B goes on here')
    bar(88, 768, 1024, 'plain', 'published by B')
    p.text(20, 154, 'A is done', 'title')
    bar(136, 0, 256, 'done', 'done')
    bar(136, 256, 384, 'one', 'A’s again')
    bar(136, 384, 512, 'plain', 'published')
    bar(136, 512, 640, 'done', 'done')
    bar(136, 640, 768, 'two', 'B’s')
    bar(136, 768, 1024, 'plain', 'still there')
    p.text(20, 202, 'A helps B', 'title')
    bar(184, 0, 640, 'done', 'done')
    bar(184, 640, 768, 'two', 'B’s')
    bar(184, 768, 896, 'one', 'A’s now')
    bar(184, 896, 1024, 'plain', 'published')
    return p


def states(p, y, *all):
    """Three of them in a row, each a kind, a name and a remark."""
    for x, (kind, name, remark) in zip((60, 305, 550), all, strict=True):
        p.box(x, y, 150, 64, kind, name, 'title')
        p.text(x + 75, y + 52, remark, 'small', 'middle')


def sleep():
    p = Picture(
        170,
        'Active, looking, asleep',
        'The three states of a started thread, and the transitions between them.',
    )
    states(
        p,
        60,
        ('one', 'active', 'runs a job'),
        ('two', 'looking', '80 rounds, 20 µs'),
        ('plain', 'asleep', 'futex, no time limit'),
    )
    for path, x, y, text in (
        ('M305 78H214', 258, 70, 'stop_looking'),
        ('M210 108H301', 258, 142, 'start_looking'),
        ('M455 78H546', 502, 70, 'fall_asleep'),
        ('M550 108H459', 502, 142, 'wake'),
    ):
        p.arrow(path)
        p.text(x, y, text, 'code', 'middle')
    p.text(380, 30, 'state_ = looking << 32 | asleep', 'code', 'middle')
    return p


def fence():
    p = Picture(
        200,
        'The adaptive fence',
        'The modes of a deque: quiet, arming and armed, and what a pop pays in each.',
    )
    states(
        p,
        56,
        ('done', 'quiet', 'pop: no fence'),
        ('plain', 'arming', 'pop: fences'),
        ('two', 'armed', 'pop: fences'),
    )
    p.arrow('M210 88H301')
    p.text(256, 80, 'a thief comes', 'small', 'middle')
    p.arrow('M455 88H546')
    p.text(501, 80, 'its next pop,', 'small', 'middle')
    p.text(501, 108, 'or heavy fence', 'small', 'middle')
    p.arrow('M625 124C600 178 170 178 135 124')
    p.text(
        380,
        184,
        'the owner, after 1,024 fenced pops, if no thief is stealing then',
        'small',
        'middle',
    )
    return p


RUN = Path(__file__).resolve().parents[2] / 'bench' / 'results' / '2-processors-zen5-gcc12.json'
# others have the names of the run
FAMILIES = {'forks': 'forks with work', 'loops': 'loops with work'}


def speed():
    means = {}
    for mean in json.loads(RUN.read_text())['summary']['families']:
        if mean['threads'] == 2:
            means.setdefault(mean['rows'], {})[mean['rival']] = mean
    p = Picture(
        92 + 46 * len(means),
        'The time of oneTBB and OpenMP divided by furca’s',
        'Geometric means by family of workloads, on two threads.',
        width=400,  # README.md is read on telephones too
    )
    p.text(12, 30, 'Time of oneTBB and OpenMP / time of furca', 'title')

    def x(ratio):
        return round(130 + 32 * log2(ratio / 0.5), 1)

    bottom = 58 + 46 * len(means)
    for ratio in (0.5, 1, 2, 4, 8, 16, 32):
        p.line(f'M{x(ratio)} 50V{bottom}', '' if ratio == 1 else 'dash')
        p.text(x(ratio), bottom + 18, f'{ratio:g}', 'small', 'middle')
    p.text(x(1) + 8, 30 + 17, 'furca is faster →', 'small')
    for i, (family, rivals) in enumerate(means.items()):
        y = 62 + 46 * i
        p.text(12, y + 21, FAMILIES.get(family, family))
        for rival, top, kind in (('oneTBB', y, 'one'), ('OpenMP', y + 17, 'two')):
            if rival in rivals:
                mean = rivals[rival]['mean']
                ends = sorted((x(1), x(mean)))
                p.box(ends[0], top, round(ends[1] - ends[0], 1), 15, kind)
                shown = f'{mean:.{1 if mean >= 10 else 2}f}  {rival}'
                p.text(ends[1] + 6, top + 12, shown, 'small')
    return p


PICTURES = {
    'deque.svg': deque,
    'join.svg': join,
    'loop.svg': loop,
    'sleep.svg': sleep,
    'fence.svg': fence,
    'speed.svg': speed,
}


def main():
    directory = Path(__file__).parent
    stale = [
        name
        for name, draw in PICTURES.items()
        if not (directory / name).is_file() or (directory / name).read_text() != draw().svg()
    ]
    if sys.argv[1:] == ['--check']:
        for name in stale:
            print(f'{name}: is not what draw.py draws; run it')
        return 1 if stale else 0
    for name in stale:
        (directory / name).write_text(PICTURES[name]().svg())
    return 0


if __name__ == '__main__':
    sys.exit(main())
