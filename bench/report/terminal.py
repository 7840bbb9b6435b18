"""What the terminal shows: tables of at most 100 columns, as lines of text."""
import math

from . import text
from .estimates import median, quantile
from .losses import LOSSES, breakdown, largest_loss
from .results import (
    BASELINE,
    FIGURE_GROUPS,
    OURS,
    find,
    label,
    numbers,
    ratios,
    speedups,
    typical,
    values,
)
from .summary import (
    FAMILIES,
    LEAST_FOR_CURVE,
    VERDICT_RULES,
    bounds_sentence,
    by_family,
    compare,
    disturbance_sentence,
    machine_mark,
    most_threads,
    noisiest_row,
    processor_tally,
    rivals,
    speedups_by_family,
    tallies_by_family,
    tally,
    thread_counts,
    typical_noise,
    was_quiet,
    withheld_notice,
)
from .targets import judge_targets

MOST_COUNTS = 9  # columns that a table has room for
# Widths of the columns of each table.
TIMES = '-21 7 5 6 5 6 6 14 5 -9 6'
COSTS = '-20 8 8 8 8 8 8 7 8 7'
FIGURES = '-46 -11 13 13 13'


def heading(setting):
    yield f'versions  {", ".join(setting["versions"])}'
    yield (
        f'host      {setting["processor"]}, {setting["processors"]} processors, '
        f'{setting["affinity"]} in the affinity mask, quota {setting["quota"]}'
    )
    yield f'kernel    {setting["kernel"]}'
    yield f'compiler  {setting["compiler"]}; {setting["flags"]}'
    yield (
        f'run       {setting["effort"]}, threads {", ".join(map(str, setting["threads"]))}, '
        f'--seed {setting["seed"]}'
    )


def word(verdict):
    return 'SLOWER' if verdict == 'slower' else verdict


def notice(setting):
    if not was_quiet(setting):
        yield ''
        yield text.wrap(withheld_notice(setting))


# Times, family by family; what a workload is stands above its rows.


def _median_ratio(row, family, threads, other, other_threads, column='wall_ns'):
    return text.ratio(
        median(ratios(find(row, family, threads), find(row, other, other_threads), column))
    )


def _time_row(row, results, threads):
    against = compare(results['setting'], row, BASELINE, threads)
    on_one = thread_counts(results)[0] == 1
    overheads = [
        _median_ratio(row, family, 1, 'serial', 1) if on_one else '-' for family in (OURS, BASELINE)
    ]
    gains = [text.ratio(median(speedups(row, family, threads))) for family in (OURS, BASELINE)]
    verdict = word(against.verdict) if find(row, BASELINE, threads) else '-'
    serial = text.time(typical(find(row, 'serial', 1)))
    ratio = (text.ratio(against.ratio.middle), text.bounds(against.ratio))
    openmp = _median_ratio(row, 'OpenMP', threads, OURS, threads)
    judged = (*ratio, text.noise(against.noise), verdict, openmp)
    return text.columns(TIMES, label(row), serial, *overheads, *gains, *judged)


def _times(results, threads):
    yield f'\ntimes, {threads} threads{machine_mark(results["setting"])}'
    ratio = 'oneTBB / furca, bounds, noise, furca'
    yield text.columns('-21 7 12 12 37 6', '', 'serial', '1 th/serial', 'speed-up', ratio, 'OpenMP')
    both = (OURS, BASELINE)
    yield text.columns(TIMES, '', 'a call', *both, *both, '', '', '', 'is', '/furca')
    for family, rows in by_family(results).items():
        yield f'\n{family}: {FAMILIES[family]}'
        last = None
        for row in rows:
            if row['workload'] != last:
                yield text.wrap(f'{row["workload"]}: {row["summary"]}', '  ', '    ')
            last = row['workload']
            yield _time_row(row, results, threads)


# Over the numbers of threads.


def _speedup_table(results, counts):
    most = counts[-1]
    yield (
        f'\nspeed-up over the serial code by number of threads'
        f'{machine_mark(results["setting"])}'
    )
    widths = ' 6' * (len(counts) + 1)
    yield text.columns(f'-29{widths}', '', *counts, f'/ {most}')
    for row in results['rows']:
        for family in [OURS, *rivals(results)]:
            if not find(row, family, most):
                continue
            gains = [median(speedups(row, family, count)) for count in counts]
            name = label(row) if family == OURS else ''
            ratios_of_all = map(text.ratio, [*gains, gains[-1] / most])
            yield text.columns(f'-21 -7{widths}', name, family, *ratios_of_all)
    for border in results['setting'].get('topology', {}).get('borders', []):
        yield f'  at {border["threads"]:3}: {border["meaning"]}'


def _loss_table(results, counts):
    widths = '-21 7 7 6 10 6 6 10 -11 7'
    setting = results['setting']
    yield (
        f"\nwhere the time of furca's threads goes, per cent of number x time"
        f'{machine_mark(setting)}'
    )
    yield text.columns(widths, '', 'threads', 'useful', *LOSSES, ' most lost', 'fences')
    for row in results['rows']:
        for count in counts:
            ran = find(row, OURS, count)
            if not ran:
                continue
            parts = breakdown(setting, row, count)
            shares = [f'{100 * parts[part]:.0f}' if parts else '-' for part in ('useful', *LOSSES)]
            name = label(row) if count == counts[0] else ''
            most_lost = f' {largest_loss(setting, row, count)}'
            fences = text.ratio(typical(ran, 'heavy_fences'))
            yield text.columns(widths, name, count, *shares, most_lost, fences)
    yield '  useful     what the serial code takes: the efficiency'
    for loss, meaning in LOSSES.items():
        yield f'  {loss:10} {meaning}'
    yield '  most lost  the largest loss, unless 90 % are useful'
    yield (
        '  fences     heavy ones (membarrier) for each call: each interrupts every thread that '
        'runs'
    )


def _scaling(results):
    counts = thread_counts(results)
    if len(counts) > MOST_COUNTS:  # one thread, and the largest
        counts = counts[:1] + counts[1 - MOST_COUNTS :]
    if len(counts) < LEAST_FOR_CURVE:
        return
    yield from _speedup_table(results, counts)
    if any(
        not math.isnan(typical(series, 'busy_threads'))
        for row in results['rows']
        for series in row['series']
    ):
        yield from _loss_table(results, counts)


# What else they took.


def _switches_per_ms(series):
    columns = ('voluntary_switches', 'involuntary_switches', 'wall_ns', 'calls')
    rounds = zip(*(values(series, column) for column in columns))
    return median([(a + b) / (1e-6 * wall * calls) for a, b, wall, calls in rounds])


def _costs(results, threads):
    yield f'\ncosts, {threads} threads{machine_mark(results["setting"])}'
    groups = ('processor time / serial', 'peak memory, MiB', 'switches per ms')
    yield text.columns('-20 26 34 16', '', *groups)
    families = (OURS, BASELINE, 'OpenMP')
    yield text.columns(COSTS, '', *families, 'serial', *families, *families[:2])
    for row in results['rows']:
        times = [_median_ratio(row, family, threads, 'serial', 1, 'cpu_ns') for family in families]
        peaks = [
            typical(find(row, family, 1 if family == 'serial' else threads), 'peak_kib') / 1024
            for family in ('serial', *families)
        ]
        switches = [
            text.ratio(_switches_per_ms(find(row, family, threads))) for family in families[:2]
        ]
        memory = ['-' if math.isnan(peak) else f'{peak:.1f}' for peak in peaks]
        yield text.columns(COSTS, label(row), *times, *memory, *switches)


# Figures: one line for a variant of furca, with the families that have none beside the first.


def _figure_value(value):
    """Three digits: '2.76', '209', '26.5k'"""
    size = abs(value)
    if size >= 9_995:
        return f'{value / 1000:.3g}k'
    if size >= 99.95 or value == 0:
        return f'{value:.0f}'
    return f'{value:.0e}' if size < 0.01 else f'{value:.2f}' if size < 9.995 else f'{value:.1f}'


def _described(figure):
    """The median, and half of what lies between the least and the greatest value."""
    if figure is None:
        return '-'
    samples = numbers(figure['values'])
    middle = median(samples)
    if math.isnan(middle):
        return 'no result'
    spread = (quantile(samples, 1) - quantile(samples, 0)) / 2
    small = spread < 0.005 * middle or middle == 0
    return _figure_value(middle) + ('' if small else f' +-{100 * spread / middle:.0f} %')


def _figure_lines(figures):
    lines = []
    for figure in figures:
        name, variant, unit = (figure[key] for key in ('name', 'variant', 'unit'))
        line = next(
            (
                line
                for line in lines
                if (line['name'], line['unit']) == (name, unit)
                and figure['family'] not in line['found']
                and (line['variant'] == variant or not line['variant'] or not variant)
            ),
            None,
        )
        if line is None:
            line = {'name': name, 'variant': variant, 'unit': unit, 'found': {}}
            lines.append(line)
        line['variant'] = line['variant'] or variant
        line['found'][figure['family']] = figure
    return lines


def _figures(results):
    families = (OURS, BASELINE, 'OpenMP')
    for group in FIGURE_GROUPS:
        lines = _figure_lines([one for one in results['figures'] if one['group'] == group])
        if not lines:
            continue
        title = group + machine_mark(results['setting'])
        yield '\n' + text.columns(FIGURES, title, '', *families)
        for line in lines:
            name = ', '.join(filter(None, (line['name'], line['variant'])))
            if 'serial' in line['found']:
                name += f' (serial {_described(line["found"]["serial"])})'
            unit = '' if line['unit'] == group else line['unit']
            found = [_described(line['found'].get(family)) for family in families]
            yield text.columns(FIGURES, name, unit, *found)


def tables(results):
    """Times and ratios, what the numbers of threads come to, what else the runs took, figures."""
    yield from notice(results['setting'])
    if results['rows']:
        threads = most_threads(results)
        yield from _times(results, threads)
        yield from _scaling(results)
        yield from _costs(results, threads)
    yield from _figures(results)


# The sum of it.


def _rows_with(results, rival, threads, verdict, introduction):
    rows = [
        f'{label(row)} ({find(row, rival, threads)["contender"]})'
        for row in results['rows']
        if find(row, rival, threads)
        and compare(results['setting'], row, rival, threads).verdict == verdict
    ]
    if rows:
        yield text.wrap(introduction + ', '.join(rows), '  ', '    ')


def _counts(found):
    if found['withheld']:
        return f'verdicts withheld on {found["withheld"]}'
    missing = f', no result {found["no result"]}' if found['no result'] else ''
    return (
        f'faster {found["faster"]:2}, slower {found["slower"]:2}, tie {found["tie"]:2}, '
        f'not known {found["not known"]:2}{missing}'
    )


def _serial(results, threads):
    """For a machine that has no other library."""
    yield '\noneTBB was not there when this was built: no comparison with it.'
    if rivals(results):
        return
    yield (
        f'serial / furca at {threads} threads{machine_mark(results["setting"])}, '
        'geometric means:'
    )
    for family, mean in speedups_by_family(results, threads).items():
        yield f'  {family:18} {text.ratio(mean.middle):>6} {text.bounds(mean)}'


def _verdicts(results, threads):
    setting = results['setting']
    noisiest = noisiest_row(results, threads)
    if noisiest:
        yield (
            f'\nA/A, furca / furca: noise of {text.noise(typical_noise(results, threads))} in '
            f'the middle row; widest: {label(noisiest[1])}, {text.noise(noisiest[0])}'
        )
    yield from notice(setting)
    if rivals(results):
        rules = VERDICT_RULES if was_quiet(setting) else {}
        for verdict, meaning in (rules | {'bounds': bounds_sentence(results)}).items():
            yield f'  {verdict:15} {meaning}'
    for rival in rivals(results):
        found = tally(results, rival, threads)
        yield (
            f'\nfurca beside {rival} at {threads} threads{machine_mark(setting)}, '
            f'{found.total()} rows: {_counts(found)}'
        )
        if not was_quiet(setting):
            found = processor_tally(results, rival, threads)
            yield (
                f'by processor time, which others disturb less: furca less {found["faster"]}, '
                f'more {found["slower"]}, tie {found["tie"]}, not known {found["not known"]}'
            )
        yield f'{rival} / furca, geometric means:'
        for family, (one, mean) in tallies_by_family(results, rival, threads).items():
            estimate = (text.ratio(mean.middle), text.bounds(mean))
            yield text.columns('-20 6 -18 0', f'  {family}', *estimate, _counts(one))
        yield from _rows_with(results, rival, threads, 'slower', 'furca is SLOWER on: ')
        yield from _rows_with(results, rival, threads, 'no result', 'without a result: ')
    if BASELINE not in rivals(results):
        yield from _serial(results, threads)
    if results['failures']:
        yield f'\nFAILED: {results["failures"]} runs; see above'


def verdicts(results):
    """What it all comes to, and how much to believe of it."""
    setting = results['setting']
    if results['rows']:
        yield from _verdicts(results, most_threads(results))
    yield '\n' + text.wrap(
        f'{setting["rounds"]} rounds in {setting["seconds"]:.0f} s; load {setting["load_before"]} '
        f'before, {setting["load_after"]} after; {disturbance_sentence(setting)}'
    )


def targets(results):
    """The project's own bounds: reached or MISSED; neither, if the machine was not quiet."""
    found = judge_targets(results)
    if not found:
        return
    setting = results['setting']
    yield f"\nthe project's own targets (medians over the rounds){machine_mark(setting)}"
    for one in found:
        value = (
            'no result'
            if math.isnan(one.value)
            else (f'{one.value:.1e}' if 0 < one.value < 0.01 else f'{one.value:.2f}')
        )
        verdict = 'withheld' if not was_quiet(setting) else 'ok' if one.reached() else 'MISSED'
        yield (
            f'  {one.what:60} {value:>9}  {"at least" if one.at_least else "at most":>8} '
            f'{one.limit:7g}  {verdict}'
        )
    reached = sum(one.reached() for one in found)
    yield (
        f'{reached} of {len(found)} targets reached'
        if was_quiet(setting)
        else text.wrap(withheld_notice(setting))
    )
