"""The project's own bounds, and what a run came to beside each."""
import math
from typing import NamedTuple

from .estimates import median, paired_ratios
from .results import BASELINE, OURS, find, label, numbers, ratios, typical, values
from .summary import most_threads, thread_counts

# Loops of every cost and distribution (workloads/costs.cpp), each of which may have its worst cost.
COSTS = ('cost-uniform', 'cost-pareto', 'cost-ramp', 'cost-first', 'cost-middle', 'cost-last')
TREES = ('skynet', 'nqueens', 'uts-t1', 'uts-t3', 'matmul')
REDUCTIONS = ('sum', 'sum-simd', 'dot-simd')
OTHERS = ('fib', 'fib-calls', 'axpy', 'axpy-rested', 'unbalanced', 'chain')


class FigureTarget(NamedTuple):
    name: str
    unit: str
    limit: float
    variant: str = ''
    beside: str = ''  # a family: the bound is on the ratio to its figure, that without a variant
    at_least: bool = False  # on the ratio of the family's figure to ours


USUAL = 'adaptive fence'  # of the two, the one that a pool has unless told otherwise
FIGURES = (
    FigureTarget('nested loops, 1,000 x 1,000', 'x', 1.05),
    FigureTarget('nested loops, 1,000,000 x 1', 'x', 1.05),
    FigureTarget('nested loops, 1 x 1,000,000', 'x', 1.05),
    FigureTarget('wake from sleep', 'ns', 0.5, USUAL, BASELINE),
    FigureTarget('join of a stolen arm', 'ns', 1_000, USUAL),
    FigureTarget('first use', 'us', 100),
    FigureTarget('burnt after work', 'us', 100),
    FigureTarget('idle', 'ms', 0.1),
    FigureTarget('mostly idle', 'ms', 1.2, '', 'serial'),
    FigureTarget('64 threads, loops', 'x', 1.3),
    FigureTarget('64 threads, forks', 'x', 1.3),
    FigureTarget('busy neighbour, loops', 'x', 1.02, '', BASELINE),
    FigureTarget('busy neighbour, forks', 'x', 1.02, '', BASELINE),
    FigureTarget('push and pop', 'ns', 3, USUAL),
    FigureTarget('steal', 'ns', 50, USUAL),
    FigureTarget('operation beside a thief', 'ns', 10, USUAL),
    FigureTarget('spawn and run', 'ns', 3, USUAL, BASELINE, at_least=True),
    FigureTarget('spawn detached and run', 'ns', 3, USUAL, BASELINE, at_least=True),
    FigureTarget('stack of a nested join', 'bytes', 384),
    FigureTarget('memory of a thread', 'KiB', 64),
    FigureTarget('allocations per join', 'allocations', 0),
    FigureTarget('allocations per loop', 'allocations', 0),
    FigureTarget('allocations per reduce', 'allocations', 0),
)
# What has a target, and so what a run of the targets alone measures.
MEASURED = (*COSTS, *TREES, *REDUCTIONS, *OTHERS, *(figure.name for figure in FIGURES))


class Judgement(NamedTuple):
    what: str
    value: float  # NaN: there was no result
    at_least: bool
    limit: float

    def reached(self):
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def _worst(what, offers, limit):
    """Of several values that may be at most the limit: the largest, or the first that failed."""
    if not offers:
        return []
    value, where = max(offers, key=lambda one: math.inf if math.isnan(one[0]) else one[0])
    return [Judgement(f'{what}, at {where}', value, False, limit)]


def _best_rival(row, threads):
    """Round by round, the least of what the rivals took; NaN where none has a time."""
    times = [values(find(row, rival, threads)) for rival in (BASELINE, 'OpenMP')]
    times = [one for one in times if one]
    return [
        min(rivals, key=lambda time: math.inf if math.isnan(time) else time)
        for rivals in zip(*times)
    ]


class _Judge:
    def __init__(self, results):
        self.rows, self.figures = results['rows'], results['figures']
        self.counts, self.most = thread_counts(results), most_threads(results)

    def against_serial(self, row, threads, most):
        ours = find(row, OURS, threads)
        if ours:
            value = median(ratios(ours, find(row, 'serial', 1)))
            yield Judgement(f'{label(row)}: furca/serial, threads: {threads}', value, False, most)

    def against(self, row, rival, threads, least):
        """Where the rival did not run there is nothing to judge."""
        theirs = find(row, rival, threads)
        if theirs:
            value = median(ratios(theirs, find(row, OURS, threads)))
            yield Judgement(f'{label(row)}: {rival}/furca, threads: {threads}', value, True, least)

    def row_alone(self, row):
        name, several = row['workload'], self.most > 1
        if name in ('fib', 'fib-calls'):
            yield from self.against_serial(row, 1, 1.8)
            if several:
                yield from self.against_serial(row, 2 if 2 in self.counts else self.most, 1.0)
        if name == 'fib':
            for threads in sorted({1, self.most}):
                yield from self.against(row, BASELINE, threads, 30)
        elif name in TREES:
            yield from self.against(row, BASELINE, self.most, 0.95)
        elif name == 'axpy' and row['size'] in (100_000, 10_000_000):
            yield from self.against(row, BASELINE, self.most, 1)
        elif name in REDUCTIONS:
            yield from self.against_serial(row, 1, 1.03)
            if several:  # who splits the range statically and does no more is at memory's limit
                yield from self.against(row, 'OpenMP', self.most, 0.97)
        elif name == 'unbalanced' and several and find(row, OURS, 1):
            value = median(ratios(find(row, OURS, 1), find(row, OURS, self.most)))
            what = f'{label(row)}: furca, 1 thread/{self.most} threads'
            yield Judgement(what, value, True, 1.9)
        elif name == 'chain' and several:
            yield from self.against_serial(row, self.most, 0.55)

    def rows_of(self, workload):
        return [row for row in self.rows if row['workload'] == workload]

    def excess(self, row, factor, constant):
        """What furca takes above so many times serial and a constant, on each number of threads."""
        allowed = factor * typical(find(row, 'serial', 1)) + constant
        for threads in self.counts:
            yield (
                typical(find(row, OURS, threads)) - allowed,
                f'{row["size"]}, threads: {threads}',
            )

    def many_rows(self):
        """No loop, however short, may cost much more than the plain one, nor than the others'."""
        axpys = self.rows_of('axpy')
        yield from _worst(
            'axpy: ns above 1.15 serial + 40',
            [one for row in axpys for one in self.excess(row, 1.15, 40)],
            0,
        )
        ours = [
            (row, values(find(row, OURS, self.most)), _best_rival(row, self.most)) for row in axpys
        ]
        yield from _worst(
            'axpy: furca/the best other',
            [
                (median(paired_ratios(mine, best)), f'{row["size"]}, threads: {self.most}')
                for row, mine, best in ours
                if best
            ],
            1.05,
        )
        short = [row for row in self.rows_of('axpy-rested') if row['size'] < 10_000]
        yield from _worst(
            'axpy-rested, n < 10,000: ns above serial',
            [one for row in short for one in self.excess(row, 1, 0)],
            3_000,
        )
        for name in COSTS:
            beside = [row for row in self.rows_of(name) if find(row, BASELINE, self.most)]
            yield from _worst(
                f'{name}: furca/oneTBB',
                [
                    (
                        median(ratios(find(row, OURS, self.most), find(row, BASELINE, self.most))),
                        f'{row["size"]} ns, threads: {self.most}',
                    )
                    for row in beside
                ],
                1.05,
            )

    def figure_of(self, like, family):
        wanted = (family, '', like['name'], like['unit'])
        return next(
            (
                one
                for one in self.figures
                if wanted == (one['family'], one['variant'], one['name'], one['unit'])
            ),
            None,
        )

    def figure_alone(self, figure):
        same = (figure['name'], figure['unit'], figure['variant'])
        for target in FIGURES:
            if figure['family'] != OURS or same != (target.name, target.unit, target.variant):
                continue
            ours = numbers(figure['values'])
            other = self.figure_of(figure, target.beside)
            if not target.beside:
                yield Judgement(f'{target.name}: {target.unit}', median(ours), False, target.limit)
            elif other:
                theirs = numbers(other['values'])
                above, below = (theirs, ours) if target.at_least else (ours, theirs)
                names = (target.beside, OURS) if target.at_least else (OURS, target.beside)
                yield Judgement(
                    f'{target.name}: {"/".join(names)}',
                    median(paired_ratios(above, below)),
                    target.at_least,
                    target.limit,
                )

    def judge(self):
        for row in self.rows:
            yield from self.row_alone(row)
        yield from self.many_rows()
        for figure in self.figures:
            yield from self.figure_alone(figure)


def judge_targets(results):
    """A judgement for each bound that the results have something about, from medians over rounds.

    Where a bound is on many rows, the row that comes off worst stands for all.
    """
    return list(_Judge(results).judge())
