"""A run beside an earlier one, as lines of text."""
import math

from . import text
from .estimates import Interval, estimate_ratio, judge, median, noise_factor
from .results import BASELINE, OURS, find, label, numbers, ratios, values
from .summary import FAMILIES, control_interval, family_of, most_threads, was_quiet, withheld_notice
from .terminal import word


def _change(before, row, family, threads):
    return estimate_ratio(values(find(row, family, threads)), values(find(before, family, threads)))


def _relative(before, row, threads):
    """The change of furca / serial: what is the machine's and not furca's is out of it."""
    return estimate_ratio(
        *(ratios(find(one, OURS, threads), find(one, 'serial', 1)) for one in (row, before))
    )


def _verdict(before, row, relative, threads, quiet):
    noise = max(noise_factor(control_interval(one, threads)) for one in (row, before))
    gain = Interval(1 / relative.high, 1 / relative.middle, 1 / relative.low, relative.range_of)
    verdict = judge(gain, noise)
    if verdict != 'no result' and not quiet:
        return 'withheld'
    return 'same' if verdict == 'tie' else word(verdict)


def _family_means(found):
    for family in FAMILIES:
        logarithms = [
            math.log(change) for one, change in found if one == family and not math.isnan(change)
        ]
        if logarithms:
            mean = text.ratio(math.exp(sum(logarithms) / len(logarithms)))
            rows = 'row' if len(logarithms) == 1 else 'rows'
            yield f'  {family:18} {mean:>6} over {len(logarithms)} {rows}'


def _figures(earlier, now):
    names = ('name', 'family', 'variant', 'unit')
    before = {tuple(one[name] for name in names): one for one in earlier['figures']}
    for figure in now['figures']:
        old = before.get(tuple(figure[name] for name in names))
        if old and figure['family'] == OURS:
            name = ', '.join(filter(None, (figure['name'], figure['variant'], figure['unit'])))
            then, here = (median(numbers(one['values'])) for one in (old, figure))
            yield f'  {name:58} {then:12.4g} {here:12.4g}'


def changes(earlier, now):
    settings = [earlier['setting'], now['setting']]
    threads = min(most_threads(earlier), most_threads(now))
    quiet = all(map(was_quiet, settings))
    then = settings[0]
    yield (
        f'\nthis run / the earlier one ({then["date"]}, {then["versions"][0]}, '
        f'{then["processor"]})'
    )
    if any(settings[0][key] != settings[1][key] for key in ('processor', 'compiler')):
        yield (
            'Another processor or compiler: only the last column means something, and that not '
            'much.'
        )
    for setting in settings:
        if not was_quiet(setting):
            yield text.wrap(f'Run of {setting["date"]}: {withheld_notice(setting)}')
    ours = f'furca, {threads} threads'
    yield text.columns('-21 7 8 25 25', '', 'serial', 'oneTBB', ours, 'furca/serial')
    before = {label(row): row for row in earlier['rows']}
    found = []
    for row in now['rows']:
        old = before.get(label(row))
        if old is None:
            continue
        serial, rival, ours = (
            _change(old, row, *who) for who in (('serial', 1), (BASELINE, threads), (OURS, threads))
        )
        relative = _relative(old, row, threads)
        both = [
            part for one in (ours, relative) for part in (text.ratio(one.middle), text.bounds(one))
        ]
        others = [text.ratio(one.middle) for one in (serial, rival)]
        verdict = _verdict(old, row, relative, threads, quiet)
        yield text.columns('-21 7 8 8 16 8 16 0', label(row), *others, *both, verdict)
        found.append((family_of(row), relative.middle))
    if found:
        yield 'furca/serial, this run / the earlier one, geometric mean by family'
    yield from _family_means(found)
    figures = list(_figures(earlier, now))
    yield from ['figures, earlier and now', *figures] if figures else []
