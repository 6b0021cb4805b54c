"""How splits are called: 'public', 'random:20', 'fraction:0.5'. Standard library only."""

from typing import TYPE_CHECKING, NamedTuple

from pgcn.errors import ConfigError, shown
from pgcn.limits import checked_number

if TYPE_CHECKING:
    from pgcn.data.splits import Masks

MOST_PER_CLASS = 10_000_000


class Split(NamedTuple):
    """How to divide the nodes: public, random with nodes per class, or fraction with the labelled share."""

    kind: str
    amount: float = 0

    def masks(self, y, *, seed: int = 0) -> "Masks":
        """Draw the masks of a random or fraction split."""
        from pgcn.data.splits import fraction_split, random_split

        if self.kind == "random":
            return random_split(y, int(self.amount), seed=seed)
        if self.kind == "fraction":
            return fraction_split(y, self.amount, seed=seed)
        raise ConfigError(f"A {self.kind} split comes with its data set and cannot be drawn.")

    def describe(self, *, seed: int) -> str:
        """Return in words what was drawn."""
        how = f"{self.amount} per class" if self.kind == "random" else f"{100 * self.amount:g} % of all nodes"
        return f"{self.kind} split: {how} labelled, seed {seed}"


def parse_split(text: str) -> Split:
    """Read 'public', 'random:20' (labelled nodes per class) or 'fraction:0.5' (labelled share of all)."""
    kind, _, amount = (text if isinstance(text, str) else "").partition(":")
    try:
        if kind == "random":
            return Split(kind, checked_per_class(int(amount)))
        if kind == "fraction":
            return Split(kind, checked_fraction(float(amount)))
    except ConfigError:
        raise
    except ValueError:
        kind = ""
    if kind == "public" and not amount:
        return Split(kind)
    raise ConfigError(
        f"split must be 'public', 'random:20' or 'fraction:0.5' (your own numbers), got {shown(text)}."
    )


def checked_per_class(number: int) -> int:
    """Return the labelled nodes of each class of a random split."""
    if number < 1:
        raise ConfigError(f"A random split needs at least 1 labelled node per class, got {shown(number)}.")
    return checked_number("The labelled nodes per class of a random split", number, at_most=MOST_PER_CLASS)


def checked_fraction(share: float) -> float:
    """Return the labelled share of a fraction split."""
    if not 0 < share < 1:
        raise ConfigError(f"The labelled fraction must lie between 0 and 1, got {share}.")
    return share
