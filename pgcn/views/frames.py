"""What the canvas shows of a run after an event: its blocks, its scores, and a row of the event log."""

from dataclasses import dataclass

from pgcn.events import Scores


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of neurons on the canvas; ``status`` is candidate, accepted or rejected.

    ``tried`` counts the blocks in the order they were tried, from 0; ``fan_in`` is the width of its input,
    ``parameters`` the size of the network with it. ``step`` is the number of the network that it was accepted into.
    """

    tried: int
    layer: int
    number: int
    width: int
    status: str
    about: str
    fan_in: int
    parameters: int
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The state of a run after an event.

    ``kind`` says what happened: start, proposed, asked, accepted, rejected, undone, layer or end; ``tried`` is the
    number of blocks tried so far, ``judged`` of those judged, ``accepted`` of those accepted, some in a layer that
    was rejected later, ``rejected`` of those rejected in each layer. ``row`` is its row of the log: a block has
    one, from its proposal to its judgement; ``short`` is what that row says from here on.
    """

    kind: str
    blocks: tuple[Block, ...]
    tried: int
    accepted: int
    rejected: dict[int, int]
    layers_rejected: int
    parameters: int
    scores: Scores | None
    judged: int
    row: int
    short: str
    title: str
    sentence: str

    @property
    def topology(self) -> tuple[int, ...]:
        """Neurons of each layer; only accepted blocks count."""
        widths: dict[int, int] = {}
        for block in self.blocks:
            if block.status == "accepted":
                widths[block.layer] = widths.get(block.layer, 0) + block.width
        return tuple(widths[layer] for layer in sorted(widths))

    @property
    def network(self) -> int:
        """The accepted network that stands, as :mod:`pgcn.methods.pgcn.steps` counts them; 0 for none."""
        return max((block.step for block in self.blocks if block.status == "accepted"), default=0)


def first_frame(sentence: str) -> Frame:
    """Return the frame of a run in which nothing has happened yet."""
    return Frame(
        kind="start",
        blocks=(),
        tried=0,
        accepted=0,
        rejected={},
        layers_rejected=0,
        parameters=0,
        scores=None,
        judged=0,
        row=0,
        short="Run started",
        title="Run started",
        sentence=sentence,
    )
