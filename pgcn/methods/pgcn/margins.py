"""How thin decisions are: by how many nodes a block or a layer was accepted or rejected.

An accuracy over n nodes changes in steps of 1/n: one of 500 validation nodes is 0.2 %. Many decisions depend on one
or two nodes, and so on chance. Everything here is a function of the events; no torch.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.events import Event, RunStarted, opening
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockJudged,
    BlockMeasured,
    LayerAccepted,
    LayerJudged,
    LayerMeasured,
)
from pgcn.methods.pgcn.improvement import NODES, has_diverged, improvement_rate, is_enough
from pgcn.numbers import signed


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A comparison in nodes: ``nodes`` more were right than before, of ``total``.

    ``decided`` says that the comparison decided: the first block of a layer is accepted whatever its accuracy, and
    a person decides as it pleases.
    ``thin`` says that one node more, or one less, would have reversed the decision.
    """

    nodes: int
    total: int
    kind: str
    decided: bool
    thin: bool

    def change(self, kind: str = "") -> str:
        """Return for example '+2 of 500 nodes'; ``kind`` says which."""
        return f"{signed(self.nodes, 0) if self.nodes else '±0'} of {self.total:,} {kind}nodes"

    def text(self) -> str:
        """Return for example '+2 of 500 validation nodes'."""
        return self.change(f"{self.kind} ") + ("; a single node decided" if self.thin else "")


def margin(event: Event, started: RunStarted) -> Margin | None:
    """Return by how many nodes a block or layer was judged; None where nothing was compared, or not by nodes."""
    if not isinstance(event, BlockMeasured | LayerMeasured) or event.before is None or event.metric not in NODES:
        return None
    if isinstance(event, BlockMeasured) and has_diverged(event.loss, event.error_tuned):
        return None  # rejected because training diverged
    before, (size, kind) = event.before, NODES[event.metric]
    total = getattr(started, size)
    gained = round((getattr(event.after, event.metric) - getattr(before, event.metric)) * total)
    is_compared = isinstance(event, LayerMeasured) or event.block > 1
    decided = is_compared and isinstance(event, BlockJudged | LayerJudged) and not event.decision
    accepted = isinstance(event, BlockAccepted | LayerAccepted)

    def would_be_accepted(nodes: int) -> bool:
        after = getattr(before, event.metric) + nodes / total
        rate = improvement_rate(event.metric, before, dataclasses.replace(event.after, **{event.metric: after}))
        return is_enough(rate, event.epsilon, reject_equal=started.config["reject_equal"])

    one_off = would_be_accepted(gained - 1 if accepted else gained + 1)
    return Margin(nodes=gained, total=total, kind=kind, decided=decided, thin=decided and one_off != accepted)


def thin_decisions(events: Sequence[Event]) -> tuple[int, int]:
    """Return how many decisions of a run depended on a single node, and how many were counted in nodes."""
    margins = [found for event in events if (found := margin(event, opening(events))) is not None and found.decided]
    return sum(found.thin for found in margins), len(margins)


def thin_sentence(events: Sequence[Event]) -> str:
    """Return how many decisions depended on a single node, as text; empty where none was counted in nodes."""
    thin, decisions = thin_decisions(events)
    if not decisions:
        return ""
    return f"{thin} of {decisions} decision{'s' * (decisions != 1)} depended on a single node"
