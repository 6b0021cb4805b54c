"""How thin decisions are: by how many nodes a block or a layer was accepted or rejected.

An accuracy over n nodes moves in steps of 1/n: of 500 validation nodes one is 0.2 %. Many decisions are a matter of
one or two nodes, and so of chance. Everything here is a function of the events; no torch.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.events import BlockAccepted, BlockJudged, Event, LayerAccepted, LayerJudged, RunStarted
from pgcn.methods.pgcn.improvement import improvement_rate, stays

NODES = {"val_accuracy": ("val", "validation"), "labelled_accuracy": ("labelled", "labelled")}
"""For each metric that counts nodes: the field of RunStarted that says how many, and what they are called."""


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A comparison in nodes: ``nodes`` more were right than before, of ``total``.

    ``decided`` says that the comparison decided: the first block of a layer is accepted whatever it gives. ``thin``
    says that one node more, or one less, would have turned the decision.
    """

    nodes: int
    total: int
    kind: str
    decided: bool
    thin: bool

    def text(self) -> str:
        """Return for example '+2 of 500 validation nodes'."""
        one = "; a single node decided" if self.thin else ""
        return f"{self.nodes:+d} of {self.total:,} {self.kind} nodes{one}".replace("+0", "±0")


def margin(event: Event, started: RunStarted) -> Margin | None:
    """Return by how many nodes a block or layer was judged; None where nothing was compared, or not by nodes."""
    if not isinstance(event, BlockJudged | LayerJudged) or event.before is None or event.metric not in NODES:
        return None
    if isinstance(event, BlockJudged) and not math.isfinite(event.loss + event.error_tuned):
        return None  # training diverged: that decided
    size, kind = NODES[event.metric]
    total = getattr(started, size)
    gained = round((getattr(event.after, event.metric) - getattr(event.before, event.metric)) * total)
    decided = isinstance(event, LayerJudged) or event.block > 1
    accepted = isinstance(event, BlockAccepted | LayerAccepted)

    def would_stay(nodes: int) -> bool:
        after = getattr(event.before, event.metric) + nodes / total
        rate = improvement_rate(
            event.metric, event.before, dataclasses.replace(event.after, **{event.metric: after})
        )
        return stays(rate, event.epsilon, reject_equal=started.config["reject_equal"])

    turned = would_stay(gained - 1 if accepted else gained + 1)
    return Margin(nodes=gained, total=total, kind=kind, decided=decided, thin=decided and turned != accepted)


def thin_decisions(events: Sequence[Event]) -> tuple[int, int]:
    """Return how many decisions of a run hung on a single node, and how many decisions were counted in nodes."""
    margins = [found for event in events if (found := margin(event, events[0])) is not None and found.decided]
    return sum(found.thin for found in margins), len(margins)


def thin_sentence(events: Sequence[Event]) -> str:
    """Say how many decisions hung on a single node; nothing where none was counted in nodes."""
    thin, decisions = thin_decisions(events)
    if not decisions:
        return ""
    return f"{thin} of {decisions} decision{'s' * (decisions != 1)} hung on a single node"
