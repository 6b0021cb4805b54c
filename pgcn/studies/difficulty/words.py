"""What a study has come to in words, also where it does not favour growing. No torch."""

from collections import Counter
from collections.abc import Sequence

from pgcn.numbers import counted, mean_sd, signed
from pgcn.studies.difficulty.contenders import CONTENDERS
from pgcn.studies.difficulty.results import Results
from pgcn.studies.difficulty.task import Place
from pgcn.studies.statistics import Spread


def divergences(results: Results) -> list[str]:
    """Say where runs diverged and are in no mean."""
    counts = Counter((outcome.place, outcome.method) for outcome in results.failed)
    return [
        f"{CONTENDERS[method].label} diverged in {counted(count, 'run')} at D' = {place.dims:,} and "
        f"{place.rate:g} % labelled ({place.dataset}): excluded from the means."
        for (place, method), count in counts.items()
    ]


def findings(results: Results, method: str = "pgcn-ce", other: str = "gcn") -> list[str]:
    """Say in words what the numbers show, place by place, also where they do not favour the method."""
    return [
        sentence for place in results.places if (sentence := finding(results, place, method, other)) is not None
    ]


def finding(results: Results, place: Place, method: str, other: str) -> str | None:
    """Return for example: At D' = 30 … PGCN (CE) leads GCN by 23.8 ± 1.1 points … with 8.1 times the parameters."""
    lead, one, two = (
        results.difference(place, method, other),
        results.cell(place, method),
        results.cell(place, other),
    )
    if lead is None or one is None or two is None:
        return None
    name, rival = CONTENDERS[method].label, CONTENDERS[other].label
    doubt = "" if lead.half_ci is None or lead.is_clear else ", not significant at 95 %"
    if round(abs(lead.mean), 1):
        verdict = (
            f"{'leads' if lead.mean > 0 else 'trails'} {rival} by {mean_sd(abs(lead.mean), lead.sd)} points{doubt}"
        )
    else:
        verdict = f"is level with {rival}, {mean_sd(0, lead.sd)} points apart"
    times = one.parameters.mean / two.parameters.mean
    size = f"{times:.1f} times the parameters" if times >= 1.05 else f"{100 * times:.0f} % of the parameters"
    return (
        f"At D' = {place.dims:,} and {place.rate:g} % labelled (N_L/D' = {place.labels_per_dimension:.3g}) "
        f"{name} {verdict} (test {one.test.mean:.1f} against {two.test.mean:.1f} %, "
        f"{counted(lead.n, 'experiment') if lead.n > 1 else 'only one experiment'}), "
        f"with {size if abs(times - 1) >= 0.05 else 'as many parameters'}."
    )


def headline(results: Results, line: Sequence[Place], other: str, axis: str, features: int) -> str | None:
    """Return what a line of places shows, by its ends: who leads, and by how much.

    For example: At 10 features growing beats GCN by 40 points; with all 1,433 there is no significant difference.
    None where nothing can be compared. ``features`` are those of the data set.
    """
    ends = compared_ends(results, line, other)
    if not ends:
        return None
    if len(ends) == 2 and all(lead.half_ci is not None and not lead.is_clear for _, lead in ends):
        here, there = (where(place, axis, features, first=number == 1) for number, (place, _) in enumerate(ends))
        return (
            f"Neither {here} nor {there} is there a significant difference between growing and "
            f"{CONTENDERS[other].label}"
        )
    clauses = [
        f"{where(place, axis, features, first=not number)} {verdict(lead, other, first=not number)}"
        for number, (place, lead) in enumerate(ends)
    ]
    sentence = "; ".join(clauses)
    return sentence[0].upper() + sentence[1:]


def compared_ends(results: Results, line: Sequence[Place], other: str) -> list[tuple[Place, Spread]]:
    """Return the first and the last place where PGCN and the other method can be compared, with its lead."""
    known = [(place, lead) for place in line if (lead := results.difference(place, "pgcn-ce", other)) is not None]
    return known if len(known) < 2 else [known[0], known[-1]]


def where(place: Place, axis: str, features: int, *, first: bool) -> str:
    if axis == "rate":
        return f"with {place.rate:g} % labelled"
    noun = f" feature{'s' * (place.dims != 1)}" * first
    return f"with all {place.dims:,}{noun}" if place.dims == features else f"at {place.dims:,}{noun}"


def verdict(lead: Spread, other: str, *, first: bool = True) -> str:
    """Say who leads; only where the interval leaves zero out is that more than what these experiments had."""
    rival = CONTENDERS[other].label
    size = abs(lead.mean)
    points = f"{size:.0f} points" if size >= 1.95 else f"{size:.1f} points"
    if lead.is_clear:
        by = f"by {points}"
        return f"growing beats {rival} {by}" if lead.mean > 0 else f"{rival} beats growing {by}"
    if lead.half_ci is None:
        side = "ahead" if lead.mean >= 0 else "behind"
        if not first:
            return f"it is {points} {side} in one"
        return f"growing is {points} {f'{side} of' if side == 'ahead' else side} {rival} in one experiment"
    return f"there is no significant difference{f' between growing and {rival}' * first}"


def headline_details(results: Results, line: Sequence[Place], other: str) -> str:
    """Return the numbers behind the headline: both differences with their intervals."""
    parts = []
    for place, lead in compared_ends(results, line, other):
        interval = f" (95 % CI {lead.interval()})" if lead.half_ci is not None else ""
        at = f"at D' = {place.dims:,} with {place.rate:g} % labelled"
        parts.append(f"{signed(lead.mean)} points{interval} {at}, {counted(lead.n, 'experiment')}")
    return f"PGCN (CE) minus {CONTENDERS[other].label}: {'; '.join(parts)}." if parts else ""


def gaps(results: Results, line: Sequence[Place], methods: Sequence[str], axis: str) -> list[str]:
    """Say which methods have no result on a line of places, and where others have none."""
    without: dict[tuple[Place, ...], list[str]] = {}
    for name in methods:
        missing = tuple(place for place in line if results.cell(place, name) is None)
        without.setdefault(missing, []).append(CONTENDERS[name].label)
    sentences = []
    for places, labels in without.items():
        at = ", ".join(f"{place.rate:g} %" if axis == "rate" else f"{place.dims:,}" for place in places)
        where = f"{at} labelled" if axis == "rate" else f"D' = {at}"
        if places:
            where = "on this line" if len(places) == len(line) else f"at {where}"
            sentences.append(f"No results {where} yet: {', '.join(labels)}.")
    return sentences
