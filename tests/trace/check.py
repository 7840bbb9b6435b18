#!/usr/bin/env python3
"""Runs a program with FURCA_TRACE and holds what it writes against Chrome's Trace Event Format:
check.py PROGRAM [ARGUMENT...].

What is held: one JSON object with traceEvents; each event has the fields of its phase, with the
right types; X events of a thread lie beside or inside each other, as Perfetto demands of slices on
a track; every thread has a name; every event with a place in the source names file and line; there
are calls or tasks, and they lie within the time of the run. Prints how many events of each kind
there are.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile
import time

NUMBER = (int, float)
FIELDS = {
    'X': {'name': str, 'cat': str, 'pid': int, 'tid': int, 'ts': NUMBER, 'dur': NUMBER},
    'i': {'name': str, 'cat': str, 'pid': int, 'tid': int, 'ts': NUMBER, 's': str, 'args': dict},
    'M': {'name': str, 'pid': int, 'tid': int, 'args': dict},
}
ROUNDED = 0.0015  # microseconds: times have three decimals


def faults(trace, elapsed):
    """Everything that is wrong with a trace of a run of `elapsed` microseconds."""
    if not isinstance(trace, dict) or not isinstance(trace.get('traceEvents'), list):
        return ['no object with a list of traceEvents']
    found = []
    if trace.get('displayTimeUnit') not in ('ms', 'ns'):
        found.append(f'displayTimeUnit is {trace.get("displayTimeUnit")!r}')
    named, tracks = set(), collections.defaultdict(list)
    for event in trace['traceEvents']:
        fields = FIELDS.get(event.get('ph'))
        if fields is None:
            found.append(f'no such phase: {event}')
            continue
        wrong = [name for name, kind in fields.items() if not isinstance(event.get(name), kind)]
        if wrong:
            found.append(f'{", ".join(wrong)} missing or of a wrong type: {event}')
            continue
        if event['ph'] == 'M':
            if event['name'] not in ('process_name', 'thread_name') or not isinstance(
                event['args'].get('name'), str
            ):
                found.append(f'no such metadata: {event}')
            if event['name'] == 'thread_name':
                named.add(event['tid'])
            continue
        if not 0 <= event['ts'] <= event['ts'] + event.get('dur', 0) <= elapsed:
            found.append(f'outside of the run, which took {elapsed:.0f} us: {event}')
        if event['ph'] == 'i' and event['s'] not in ('t', 'p', 'g'):
            found.append(f'no such scope of an instant: {event}')
        place = event.get('args', {})
        if 'line' in place and not (
            isinstance(place['line'], int)
            and place['line'] > 0
            and place.get('file')
            and place.get('function')
        ):
            found.append(f'no place in the source: {event}')
        tracks[event['tid']].append(event)
    for tid, events in tracks.items():
        if tid not in named:
            found.append(f'thread {tid} has no name')
        open_until = []
        for event in sorted(
            (e for e in events if e['ph'] == 'X'), key=lambda e: (e['ts'], -e['dur'])
        ):
            while open_until and open_until[-1] <= event['ts'] + ROUNDED:
                open_until.pop()
            end = event['ts'] + event['dur']
            if open_until and end > open_until[-1] + ROUNDED:
                found.append(
                    f'crosses the end of the event that it began in, at {open_until[-1]}: {event}'
                )
            open_until.append(end)
    return found


def main():
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'trace.json')
        began = time.monotonic()
        subprocess.run(
            [os.path.abspath(sys.argv[1]), *sys.argv[2:]],
            check=True,
            cwd=scratch,
            stdout=subprocess.DEVNULL,
            env={**os.environ, 'FURCA_TRACE': path, 'FURCA_NUM_THREADS': '3'},
        )
        elapsed = 1e6 * (time.monotonic() - began)
        with open(path, encoding='utf-8') as file:
            trace = json.load(file)
    found = faults(trace, elapsed)
    kinds = collections.Counter(event['name'].split()[0] for event in trace['traceEvents'])
    print(', '.join(f'{count} x {kind}' for kind, count in kinds.most_common()))
    if not any(event['ph'] == 'X' and event['name'] != 'asleep' for event in trace['traceEvents']):
        found.append('no call and no task is in it')
    for fault in found[:20]:
        print('FAILED', fault)
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
