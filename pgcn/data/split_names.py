"""How splits are called: 'public', 'random:20', 'fraction:0.5'. Standard library only."""

from typing import TYPE_CHECKING, NamedTuple

from pgcn.errors import ConfigError

if TYPE_CHECKING:
    from pgcn.data.splits import Masks


class Split(NamedTuple):
    """How to divide the nodes: public, random with nodes per class, or fraction with the labelled share."""

    kind: str
    amount: float | None = None

    def masks(self, y, *, seed: int = 0) -> "Masks":
        """Draw the masks of a random or fraction split."""
        from pgcn.data.splits import fraction_split, random_split

        if self.kind == "random":
            return random_split(y, self.amount, seed=seed)
        if self.kind == "fraction":
            return fraction_split(y, self.amount, seed=seed)
        raise ConfigError(f"A {self.kind} split comes with its data set and cannot be drawn.")

    def describe(self, *, seed: int) -> str:
        """Return in words what was drawn."""
        how = f"{self.amount} per class" if self.kind == "random" else f"{100 * self.amount:g} % of all nodes"
        return f"{self.kind} split: {how} labelled, seed {seed}"


def parse_split(text: str) -> Split:
    """Read 'public', 'random:20' (labelled nodes per class) or 'fraction:0.5' (labelled share of all)."""
    kind, _, amount = str(text).partition(":")
    readers = {"random": int, "fraction": float}
    try:
        if kind in readers:
            return Split(kind, readers[kind](amount))
    except ValueError:
        kind = ""
    if kind == "public" and not amount:
        return Split(kind)
    raise ConfigError(f"split must be 'public', 'random:20' or 'fraction:0.5' (your own numbers), got {text!r}.")
