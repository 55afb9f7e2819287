"""Computes the AUROC of `molgauge domain` with a method that was chosen on other data sets, for
bench/domain_table.py.

If the same pairs serve to choose a method and to report its AUROC, the AUROC is too high. This module leaves one set
out, chooses the method with the highest mean AUROC over the pairs of the other sets, and reports its AUROC on the
pairs with the left-out set as training set. Pairs that contain the left-out set on either side do not count in the
choice. The choice is repeated for each seed, so the interval over seeds includes changes of the choice.

`aurocs` maps a method to a mapping from a pair (training set, foreign set) to the list of AUROCs, one for each seed.
"""

import math
import statistics

#: Quantiles 0.975 of Student's t distribution with 1, 2, ... degrees of freedom.
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
           2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def interval(values):
    """Returns the mean and the half width of its 95 % interval (Student's t).

    The half width of a single value is None.
    """
    if len(values) < 2:
        return values[0], None
    quantile = STUDENT[min(len(values) - 1, len(STUDENT)) - 1]
    return statistics.mean(values), quantile * statistics.stdev(values) / math.sqrt(len(values))


def text(values, digits=3):
    centre, half = interval(values)
    return f"{centre:.{digits}f}" if half is None else f"{centre:.{digits}f} ± {half:.{digits}f}"


def mean_by_seed(pairs, wanted):
    """Returns for each seed the mean AUROC over the pairs for which `wanted(training set, foreign set)` holds."""
    chosen = [values for (train, foreign), values in pairs.items() if wanted(train, foreign)]
    return [statistics.mean(one) for one in zip(*chosen)]


def leave_one_set_out(aurocs):
    """Returns for each left-out set a list with one entry for each seed. The entry is the chosen method and its mean
    AUROC over the pairs with the left-out set as training set.

    If two methods have equal means, the first one is chosen.
    """
    sets = list(dict.fromkeys(train for pairs in aurocs.values() for train, _ in pairs))
    found = {}
    for left_out in sets:
        others = {method: mean_by_seed(pairs, lambda train, foreign: left_out not in (train, foreign))
                  for method, pairs in aurocs.items()}
        own = {method: mean_by_seed(pairs, lambda train, foreign: train == left_out) for method, pairs in aurocs.items()}
        seeds = len(next(iter(own.values())))
        choices = [max(others, key=lambda method, seed=seed: others[method][seed]) for seed in range(seeds)]
        found[left_out] = [(method, own[method][seed]) for seed, method in enumerate(choices)]
    return found


def table(aurocs, default="combined"):
    """Returns two Markdown tables. The first shows the choice for each left-out set, the second shows each method
    over all pairs.
    """
    found = leave_one_set_out(aurocs)
    lines = ["| left-out training set | chosen method (seeds) | AUROC of the choice | " + f"AUROC of `{default}` |",
             "|---|---|---|---|"]
    for left_out, choices in found.items():
        counts = {}
        for method, _ in choices:
            counts[method] = counts.get(method, 0) + 1
        names = ", ".join(f"`{method}` ({count})" for method, count in sorted(counts.items(), key=lambda item: -item[1]))
        own = mean_by_seed(aurocs[default], lambda train, _: train == left_out)
        lines.append(f"| {left_out} | {names} | {text([value for _, value in choices])} | {text(own)} |")
    over_sets = [statistics.mean(values) for values in zip(*[[value for _, value in one] for one in found.values()])]
    lines.append(f"| all pairs | | {text(over_sets)} | {text(mean_by_seed(aurocs[default], lambda *_: True))} |")
    lines += ["", "| method | mean AUROC | least pair |", "|---|---|---|"]
    for method, pairs in aurocs.items():
        least = min(statistics.mean(values) for values in pairs.values())
        lines.append(f"| `{method}` | {text(mean_by_seed(pairs, lambda *_: True))} | {least:.3f} |")
    return "\n".join(lines) + "\n"
