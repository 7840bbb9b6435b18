"""Where the time of furca's threads goes: what keeps a curve from the ideal line.

P threads that need T_P have P x T_P of time. A part of it does what the serial program does in T_S.
The rest is lost, in the three ways of Olivier, de Supinski, Schulz and Prins (Characterizing and
Mitigating Work Time Inflation in Task Parallel Programs, SC 2012): overhead, inflation, idleness.
"""
import math

from .estimates import median, paired_ratios
from .results import OURS, find, numbers, ratios, speedups, typical, values

LOSSES = {
    'work': 'what the parallel form takes more than the serial code on one thread',  # T_1 - T_S
    'processors': 'threads without a processor: there are fewer, or other programs have them',
    'memory': 'busy for longer than one thread was: memory, caches, shared cores, clock; fences',
    # (P - 1) x the span: Graham 1969; Blumofe, Leiserson 1999, for greedy schedulers
    'span': "idle, as any scheduler's threads may be while the longest chain of the work goes on",
    'scheduler': 'idle beyond that: waking, looking for work, sharing it',
}
SHORT = 1000  # ns
SPAN_NOISE = 1.2
MOSTLY_USEFUL = 0.9


def _span_of(row, call):
    """No call is faster than its span. If it seems so, the call is too short for the clocks; or a
    strand was interrupted when the span was measured, and nothing is known of it."""
    (span,) = numbers([row.get('span_ns')])
    return math.nan if span > max(SPAN_NOISE * call, SHORT) else min(span, call)


def _clamp(value, low, high):
    return min(max(value, low), high)


def breakdown(setting, row, threads):
    """Shares of P x T_P, each from 0 to 1 and together 1: 'useful' and each loss.

    None without a serial run, a run on one thread, or what furca tells of its threads; nor with a
    span that is longer than the call.
    """
    ran = find(row, OURS, threads)
    call = typical(ran)
    serial = median(speedups(row, OURS, threads)) / threads
    alone = median(ratios(find(row, OURS, 1), ran)) / threads
    said_busy = typical(ran, 'busy_threads') / threads
    processor_time = median(paired_ratios(values(ran, 'cpu_ns'), values(ran))) / threads
    idle_by_span = 0 if threads == 1 else (threads - 1) / threads * _span_of(row, call) / call
    if not math.isfinite(serial + alone + said_busy + processor_time + idle_by_span):
        return None
    busy = min(1, said_busy)
    # More were busy than had a processor. At least so many: idle threads use processors too, while
    # they look for work.
    processors = setting['affinity'] / threads if setting['affinity'] > 0 else 1
    waiting = _clamp(max(busy - processor_time, busy - processors), 0, max(0, busy - serial))
    computing = max(busy - waiting, min(1, serial))
    useful = min(serial, computing)
    work = _clamp(alone - serial, 0, computing - useful)
    idle = max(0, 1 - computing - waiting)
    # Threads that are more than the processors could do nothing if they were not idle.
    too_many = _clamp(1 - processors - waiting, 0, idle)
    span = min(idle - too_many, idle_by_span)
    return {
        'useful': useful,
        'work': work,
        'processors': waiting + too_many,
        'memory': max(0, computing - useful - work),
        'span': span,
        'scheduler': idle - too_many - span,
    }


def largest_loss(setting, row, threads):
    """'-' if 90 % are useful, or nothing is known."""
    parts = breakdown(setting, row, threads)
    if parts is None or parts['useful'] >= MOSTLY_USEFUL:
        return '-'
    return max(LOSSES, key=parts.get)
