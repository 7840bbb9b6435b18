"""Medians, intervals, and when a difference counts. A NaN stands for a sample that is missing."""
import math
import random
from functools import lru_cache
from typing import NamedTuple

NONE = math.nan
RESAMPLES = 2_000
LEAST_FOR_INTERVAL = 6  # the median lies outside all of five samples with a probability of 6 %
TIE_FACTOR = 1.05  # the layout of the code alone makes as much
LEAST_NOISE = 1.02


class Interval(NamedTuple):
    """An estimate, and bounds between which the true value lies with 95 % confidence."""

    low: float
    middle: float
    high: float
    range_of: int = 0  # not 0: the bounds are the least and the greatest of so few samples


UNKNOWN = Interval(NONE, NONE, NONE)


def known(samples):
    return [sample for sample in samples if not math.isnan(sample)]


def quantile(samples, share):
    """The value below which the share of the samples lies, between neighbours in proportion.

    This is type 7 of Hyndman and Fan, as in R and NumPy.
    """
    ordered = sorted(known(samples))
    if not ordered:
        return NONE
    position = share * (len(ordered) - 1)
    below = int(position)
    above = ordered[min(below + 1, len(ordered) - 1)]
    return ordered[below] + (position - below) * (above - ordered[below])


def median(samples):
    return quantile(samples, 0.5)


def paired_ratios(above, below):
    """The ratio of each round in which neither is missing."""
    return [a / b for a, b in zip(above, below) if not math.isnan(a) and not math.isnan(b)]


@lru_cache(maxsize=None)
def _middles(count, seed):
    """The places of the two middle ones of so many samples in order, in each resample of them."""
    draw = random.Random(1_000 * count + seed)
    low, high = (count - 1) // 2, count // 2
    drawn = (sorted(draw.choices(range(count), k=count)) for _ in range(RESAMPLES))
    return [(places[low], places[high]) for places in drawn]


def _resampled_medians(samples, seed=0):
    """The medians of 2,000 resamples: the same for the same samples and the same seed."""
    ordered = sorted(samples)
    places = _middles(len(ordered), seed)
    return [(ordered[low] + ordered[high]) / 2 for low, high in places]


def _bounds(middle, resampled):
    return Interval(quantile(resampled, 0.025), middle, quantile(resampled, 0.975))


@lru_cache(maxsize=None)
def _estimate_median(samples):
    if not samples:
        return UNKNOWN
    if len(samples) < LEAST_FOR_INTERVAL:
        return Interval(min(samples), median(samples), max(samples), len(samples))
    return _bounds(median(samples), _resampled_medians(samples))


def estimate_median(samples):
    """The median with bounds by the percentile bootstrap (Efron, 1979).

    These are the 2.5 % and 97.5 % quantiles of the medians of resamples, or a range if there are
    too few samples.
    """
    return _estimate_median(tuple(known(samples)))


def estimate_geometric_mean(sets):
    """The geometric mean of several medians. Each resample draws each set anew.

    If any set is too small, the bounds are the means of all least and all greatest samples.
    """
    sets = [samples for samples in map(known, sets) if samples]
    if not sets:
        return UNKNOWN

    def mean_of(value):
        return math.exp(sum(math.log(value(samples)) for samples in sets) / len(sets))

    fewest = min(map(len, sets))
    if fewest < LEAST_FOR_INTERVAL:
        return Interval(mean_of(min), mean_of(median), mean_of(max), fewest)
    medians = [_resampled_medians(samples, seed) for seed, samples in enumerate(sets)]
    means = [math.exp(sum(map(math.log, drawn)) / len(sets)) for drawn in zip(*medians)]
    return _bounds(mean_of(median), means)


def estimate_ratio(above, below):
    """The ratio of two medians whose samples have nothing to do with each other: of two runs."""
    above, below = known(above), known(below)
    if not above or not below:
        return UNKNOWN
    middle = median(above) / median(below)
    fewest = min(len(above), len(below))
    if fewest < LEAST_FOR_INTERVAL:
        return Interval(min(above) / max(below), middle, max(above) / min(below), fewest)
    resampled = zip(_resampled_medians(above, 0), _resampled_medians(below, 1))
    return _bounds(middle, [a / b for a, b in resampled])


def noise_factor(control):
    """How far from 1 a ratio may be and still be noise, as a factor from 1.02 on.

    It is what the interval of furca beside itself reaches, and infinite if that is not known.
    """
    if math.isnan(control.low) or math.isnan(control.high):
        return math.inf
    return max(LEAST_NOISE, control.high, 1 / control.low)


def judge(ratio, noise):
    """The verdict on furca by the ratio of a rival's time to furca's: 'faster', 'slower', 'tie',
    'not known', or 'no result' if there is no ratio."""
    if math.isnan(ratio.middle):
        return 'no result'
    if ratio.low > 1 and ratio.middle > noise:
        return 'faster'
    if ratio.high < 1 and ratio.middle < 1 / noise:
        return 'slower'
    if math.isfinite(noise) and ratio.low >= 1 / TIE_FACTOR and ratio.high <= TIE_FACTOR:
        return 'tie'
    return 'not known'
