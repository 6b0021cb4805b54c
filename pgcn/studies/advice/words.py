"""What follows from the evidence, in words: a function of what was measured, with limits by interval."""

from pgcn.numbers import counted, signed
from pgcn.studies.advice.evidence import Advice
from pgcn.studies.advice.gains import Gain, unseen

WORTH = 1.0
"""Points of accuracy: where growth clearly gains less than this, it is not worth its time."""
FEWEST = 40
"""Validation nodes below which nothing is said: of 20 nodes that agree, 17 % of all others may still differ."""

TITLES = {
    "likely": "Growing is likely to pay",
    "little": "Growing pays little",
    "unlikely": "Growing is unlikely to pay",
    "unclear": "Not clear",
    "unknown": "Nothing can be said",
}


def verdict(advice: Advice) -> tuple[str, str]:
    """Return the kind of an advice, a key of TITLES, and the sentence that says it with its evidence.

    By the 95 % interval of what growth gains over GCN-16: it pays where the interval is above 0, little where all
    of it is below WORTH too, it does not where it is below WORTH but not above 0; else it is not clear.
    """
    if obstacle := why_not(advice):
        return "unknown", f"{TITLES['unknown']}: {obstacle}."
    growth = advice.growth
    if growth is None:
        more = f"; {wide_clause(advice)}" if advice.wide else ""
        return "unknown", f"{TITLES['unknown']} about growing: {nothing_measured(advice)}{more}."
    kind = kind_of(growth)
    if advice.stopped and kind != "likely":  # what is still growing may gain more
        parts = [f"growth had not finished after {advice.seconds:.0f} s", wide_clause(advice)]
        return "unclear", f"{TITLES['unclear']}: {'; '.join(filter(None, parts))}. Allow more time."
    said = {
        "likely": lambda: f"growth gains {growth.text()} over GCN-16{at_ratio(advice)}",
        "little": lambda: f"growth gains {growth.text()} over GCN-16, clearly less than {WORTH:g} point",
        "unlikely": lambda: unlikely_clause(growth),
        "unclear": lambda: f"the gain of growth over GCN-16, {growth.text()}, is not significant",
    }[kind]()
    rest = [wide_clause(advice), better_clause(advice), f"{counted(growth.nodes, 'validation node')}"]
    return kind, f"{TITLES[kind]}: {said}; {'; '.join(filter(None, rest))}."


def why_not(advice: Advice) -> str:
    """Return why nothing can be said whatever was measured, "" where something can."""
    number = advice.facts.validation
    if not number:
        return "there are no validation nodes, and growth decides by them. Choose a split that has some"
    if number < FEWEST:
        return (
            f"{counted(number, 'validation node')} are too few: two networks that agree on all that measure may "
            f"still differ on {100 * unseen(max(1, number // 2)):.0f} % of other nodes"
        )
    return ""


def nothing_measured(advice: Advice) -> str:
    return f"{advice.seconds:.0f} s were not enough to train what is compared" if advice.seconds else "nothing ran"


def kind_of(growth: Gain) -> str:
    """Return what an interval says."""
    if growth.low > 0:
        return "little" if growth.high < WORTH else "likely"
    return "unlikely" if growth.high < WORTH else "unclear"


def unlikely_clause(growth: Gain) -> str:
    if growth.high < 0:
        return f"growth loses {abs(growth.mean):.1f} points to GCN-16 ({growth.interval()})"
    figures = f"{signed(growth.mean)}, {growth.interval()}"
    return f"growth gains less than {WORTH:g} point over GCN-16, if anything ({figures})"


def wide_clause(advice: Advice) -> str:
    """Say what a wider GCN does."""
    wide = advice.wide
    if wide is None:
        return ""
    if wide.is_clear:
        does = f"gains {wide.text()}" if wide.mean > 0 else f"loses {wide.text().replace('−', '', 1)}"
        return f"a GCN of 64 neurons {does}{at_ratio(advice, wide=True) if wide.mean > 0 else ''}"
    return f"a GCN of 64 neurons does not differ significantly ({signed(wide.mean)}, {wide.interval()})"


def better_clause(advice: Advice) -> str:
    """Say which of growth and the wider GCN is better, where that is clear."""
    lead = advice.growth_over_wide
    if lead is None or not lead.is_clear:
        return ""
    better, points = ("growth", lead.mean) if lead.mean > 0 else ("the wider GCN", -lead.mean)
    return f"of the two {better} is better, by {points:.1f} points"


def at_ratio(advice: Advice, *, wide: bool = False) -> str:
    """Return for example ' with 1.2 times the parameters of GCN-16'."""
    ratio = advice.wide_ratio if wide else advice.ratio
    return "" if ratio is None else f" with {ratio:.1f} times the parameters of GCN-16"
