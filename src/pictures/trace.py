#!/usr/bin/env python3
"""Draws a stretch of a trace that FURCA_TRACE has written:
trace.py TRACE.json FROM_US TO_US > trace.svg. A row for each thread and depth; what is shorter
than a pixel is left out, as Perfetto does it."""
import json
import sys

import draw

LEFT, RIGHT, ROW = 130, draw.WIDTH - 20, 24
# of the first word of a name; calls are the others
COLOURS = {'part': 'two', 'asleep': 'idle', 'task': 'plain'}


def rows_of(events):
    """Each X event with its depth among those of its thread."""
    ends, placed = [], []
    for event in sorted(events, key=lambda e: (e['ts'], -e['dur'])):
        while ends and ends[-1] <= event['ts'] + 0.001:
            ends.pop()
        placed.append((len(ends), event))
        ends.append(event['ts'] + event['dur'])
    return placed


def main():
    events = json.load(open(sys.argv[1], encoding='utf-8'))['traceEvents']
    begin, end = float(sys.argv[2]), float(sys.argv[3])
    scale = (RIGHT - LEFT) / (end - begin)
    names = {
        event['tid']: event['args']['name']
        for event in events
        if event['ph'] == 'M' and event['name'] == 'thread_name'
    }
    tracks = []
    for tid in sorted(names):
        inside = [
            e
            for e in events
            if e['tid'] == tid
            and e['ph'] == 'X'
            and e['ts'] < end
            and e['ts'] + e['dur'] > begin
            and e['dur'] * scale >= 1
        ]
        tracks.append((names[tid], rows_of(inside)))
    height = (
        60
        + sum(ROW * (1 + max((depth for depth, _ in rows), default=0)) + 22 for _, rows in tracks)
        + 10
    )
    picture = draw.Picture(
        height, 'A trace', f'What the threads of a program did in {end - begin:.0f} microseconds.'
    )
    picture.text(20, 30, f'{end - begin:,.0f} microseconds of a trace', 'title')
    top = 52
    for name, rows in tracks:
        picture.text(20, top + 17, name, 'small')
        for depth, event in rows:
            x = LEFT + max(0.0, event['ts'] - begin) * scale
            width = min(RIGHT, LEFT + (event['ts'] + event['dur'] - begin) * scale) - x
            label = event['name'] if width > 6.6 * len(event['name']) + 8 else ''
            picture.box(
                round(x, 1),
                top + ROW * depth,
                round(width, 1),
                ROW - 3,
                COLOURS.get(event['name'].split()[0], 'one'),
                label,
                'small',
            )
        top += ROW * (1 + max((depth for depth, _ in rows), default=0)) + 22
    print(picture.svg(), end='')


if __name__ == '__main__':
    main()
