#!/usr/bin/env python3
"""How long a reduction and a step of heat take on several machines, by model: ranks_model.py
[--ethernet] [--counted build/bench/counted/furca-counted]

Nothing of this was measured on several machines. A machine has 128 cores, as two EPYC 7742; each
way to use them is R ranks x P threads with R P = 128 on each.

A rank's loop takes what furca-counted says for P threads (LOOPS, or asked anew with --counted).
Messages take latency + bytes / bandwidth:

- network, InfiniBand: 1.2 us, 10 GB/s. Published by others with osu_latency: 0.9 us and 10.3 GB/s
  (Open MPI, gist.github.com/jfgrimm/3af692a5475bdd4ed836b5a18197a209, 2021), 1.2 us and 9.6 GB/s
  (Cray XC, gist.github.com/hppritcha/6a3acd0c192fcfd082bd543fc98e6fe6, 2016). Ethernet by TCP: 25
  us, 0.115 GB/s (the first of these).
- within a machine: 0.4 us, 8 GB/s, which the cores themselves copy. Measured between two processors
  of a virtual machine: 0.36 us with Open MPI 4.1.4, 0.19 us with MPICH 4.0.2 for 8 bytes, and 130
  us for a megabyte with both.

reduce: 2.5 ns for each double, as a core of 128 that read memory at the same time gets some 3 GB/s
of it; then messages up and down the binomial tree, first within the machine. On the way up each has
15 nodes of 16 bytes, and appending them takes 10 ns each. Ranks have whole blocks, so the one with
most has a block more than others, and some have none. heat: 5 ns for each point, rows in bands. A
rank's inner rows, with its halo on the way, and its first and last row: behind these where it has
one thread, else by the thread that has waited for the halo, beside them. A row is never divided, so
ranks beyond the number of rows are idle.

uneven: 32 steps for each core, of 1 ms on average and Pareto distributed (exponent 2, at most 10
ms), in bands of as many steps; the threads of a rank share its steps, as furca's loops do, and
ranks share nothing. The median of nine draws.

Left out: ranks that come late, noise, a network that others use, more memory for more ranks.
"""
import argparse
import math
import random
import subprocess

CORES = 128
# furca-counted --rows again- --awake --seeds 4 --workers 1,8,16,64,128, a loop of 20
LOOPS = '''
  work, us      P = 1      P = 8     P = 16     P = 64    P = 128
        10       10.0        5.0        5.6        9.9       20.4
        30       30.0        6.7        6.6       13.8       28.1
       100      100.0       15.4       10.6       20.9       22.3
       300      300.0       40.9       24.3       19.9       44.0
      1000     1001.5      129.5       69.7       28.3       50.9
      3000     3003.7      382.4      195.4       66.1       50.9
     10000    10011.7     1261.4      640.4      179.1      125.6
     30000    30034.6     3767.5     1894.4      507.2      289.1
'''
WAYS = ((128, 1), (16, 8), (8, 16), (2, 64), (1, 128))  # ranks x threads of a machine


def read(text):
    rows = [
        [float(word) for word in line.split()]
        for line in text.splitlines()
        if line.split() and line.split()[0].isdigit()
    ]
    threads = [
        int(word.split()[0])
        for line in text.splitlines()
        if 'P =' in line
        for word in line.split('P =')[1:]
    ]
    return {p: {row[0]: row[1 + i] for row in rows} for i, p in enumerate(threads)}


def count(command):
    options = '--rows again- --awake --seeds 4 --workers 1,8,16,64,128'.split()
    text = subprocess.run([command, *options], check=True, capture_output=True, text=True).stdout
    loops = {}
    for line in text.splitlines()[1:]:
        name, threads, _, _, _, time = line.split()[:6]
        work = float(name.removeprefix('again-').removesuffix('us'))
        loops.setdefault(int(threads), {})[work] = float(time) / 20
    return loops


def loop(loops, work, threads):
    """us of a loop of so many us of work: between two known lengths as a power of it, beyond them
    in proportion."""
    if threads == 1:
        return work
    known = loops[threads]
    lengths = sorted(known)
    if work <= lengths[0]:
        return min(work, known[lengths[0]])  # alone, if that is faster
    if work >= lengths[-1]:
        return known[lengths[-1]] + (work - lengths[-1]) / threads
    above = next(length for length in lengths if length >= work)
    below = lengths[lengths.index(above) - 1]
    share = math.log(work / below) / math.log(above / below)
    return min(work, known[below] * (known[above] / known[below]) ** share)


def block_size(n):
    """Elements in a block of mpi::reduce: 256 blocks, then blocks of up to 2,048, then 2^20
    blocks."""

    def for_blocks(blocks):
        return 1 if n <= blocks else 1 << ((n - 1) // blocks).bit_length()

    return max(min(for_blocks(256), 2_048), for_blocks(1 << 20))


class Machine:
    def __init__(self, loops, ethernet):
        self.loops = loops
        self.network = (25.0, 115.0) if ethernet else (1.2, 10_000.0)  # us, bytes/us
        self.inside = (0.4, 8_000.0)

    def message(self, size, across):
        latency, bandwidth = self.network if across else self.inside
        return latency + size / bandwidth

    def reduce(self, n, machines, ranks, threads):
        block = block_size(n)
        blocks = math.ceil(n / block)
        most = math.ceil(
            blocks / (machines * ranks)
        )  # of one rank; its threads have no more parts than that
        work = most * min(n, block) * 0.0025
        computed = max(
            loop(self.loops, work, threads), math.ceil(most / threads) * min(n, block) * 0.0025
        )
        levels = [(math.ceil(math.log2(ranks)), False), (math.ceil(math.log2(machines)), True)]
        return computed + sum(
            count * (self.message(32 + 15 * 16, across) + 0.15 + self.message(40, across))
            for count, across in levels
        )

    def heat(self, n, machines, ranks, threads):
        rows = max(1.0, n / (machines * ranks))
        row = n * 0.005
        halo = 8 * n
        # Ranks inside copy themselves, in and out, and cannot compute meanwhile; the slowest rank
        # of a machine has the network on one side at least.
        copied = 2 * halo / self.inside[1] if ranks > 1 else 0
        wire = self.message(halo, True) if machines > 1 else 0
        edges = min(rows, 2) * row
        if threads == 1:
            taken = max(wire, rows * row - edges) + edges
        else:
            taken = max(
                wire + edges, loop(self.loops, rows * row, threads)
            )  # the first arm of a join has the halo and both edges
        return copied + taken + (self.inside[0] if ranks > 1 else 0)

    def uneven(self, _, machines, ranks, threads):
        steps = 32 * threads
        times = []
        for seed in range(9):
            draw = random.Random(seed)
            slowest = 0.0
            for _ in range(machines * ranks):
                costs = [min(10_000.0, 500.0 / math.sqrt(1 - draw.random())) for _ in range(steps)]
                slowest = max(slowest, sum(costs) / threads, max(costs))
            times.append(slowest)
        return sorted(times)[4]


def table(title, sizes, time, most=512):
    print(f'\n{title}\n')
    print('| | machines |' + ''.join(f' {ranks} x {threads} |' for ranks, threads in WAYS))
    print('|---|---|' + '---|' * len(WAYS))
    for name, n in sizes:
        for machines in (count for count in (1, 8, 64, 512) if count <= most):
            times = [time(n, machines, ranks, threads) for ranks, threads in WAYS]
            cells = [f'**{t:,.0f}**' if t < 1.05 * min(times) else f'{t:,.0f}' for t in times]
            print(f'| {name} | {machines} | ' + ' | '.join(cells) + ' |')


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--ethernet', action='store_true')
    arguments.add_argument('--counted')
    arguments = arguments.parse_args()
    loops = count(arguments.counted) if arguments.counted else read(LOOPS)
    machine = Machine(loops, arguments.ethernet)
    print(
        f'ranks x threads on each machine of {CORES} cores, '
        f'{"Ethernet" if arguments.ethernet else "InfiniBand"}; us; within 5 % of the best: bold'
    )
    table(
        'reduce of doubles',
        (('10^6', 10**6), ('10^8', 10**8), ('10^10', 10**10)),
        machine.reduce,
    )
    table(
        'a step of heat',
        (('2,048 x 2,048', 2048), ('16,384 x 16,384', 16384), ('65,536 x 65,536', 65536)),
        machine.heat,
    )
    table('uneven steps', (('32 a core', 0),), machine.uneven, most=64)


if __name__ == '__main__':
    main()
