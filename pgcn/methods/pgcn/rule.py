"""The growth rule (Algorithm 1): when a block or a layer is accepted. No tensors, no training, no clock.

Blocks of B neurons are added to the newest hidden layer while

    r_b = (A_b − A_{b−1}) / A_{b−1}  ≥  ε_b        (improvement by a block)

then a new layer is opened, which is accepted if

    r_l = (A_l − A_{l−1}) / A_{l−1}  ≥  ε_l        (improvement by a layer)

and growth ends with the first layer that is not. A is the metric of the config; for a loss, which should fall, the
sign is reversed. The first block of a layer is always accepted, because its layer is judged as a whole, unless its
training diverged.

With ``patience`` a rejected block does not close its layer at once: the next candidate adds two new blocks to what
is accepted, then three, and so on. With a ``margin`` r must reach more than ε
(:func:`pgcn.methods.pgcn.improvement.threshold`).

Where a person decides, the rule says what it would do and asks (:mod:`pgcn.methods.pgcn.steer`). Its questions are
:mod:`pgcn.methods.pgcn.candidate`, its events are made in :mod:`pgcn.methods.pgcn.rule_events`.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from pgcn.events import Event
from pgcn.methods.endings import Ending, ending
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Answer, Candidate, Trained, TrainedCandidate, Widths, widths_of
from pgcn.methods.pgcn.decisions import ACCEPT, NEW_LAYER, REJECT, STOP
from pgcn.methods.pgcn.improvement import improvement_rate, is_enough
from pgcn.methods.pgcn.rule_events import RuleEvents

Result = TypeVar("Result")
Asking = Generator[Candidate | Event, Answer, Result]


def growth_rule(
    config: GrowthConfig, num_features: int, num_classes: int, counts: Mapping[str, int] | None = None
) -> Generator[Candidate | Event, Answer, None]:
    """Yield candidates, to be answered with outcomes, and events, to be answered with None.

    ``counts`` says how many labelled and validation nodes ("labelled", "val") there are; only a ``margin`` asks.

    Where a person decides, a ``DecisionAwaited`` is answered with one of its choices. The event of an accepted
    block may be answered with other settings: a branch, which grows on with them.
    """
    growth = _Growth(RuleEvents(config, num_features, num_classes, counts or {}))
    ended = yield from growth.add_layers()
    yield growth.events.run_finished(growth.accepted, ended, growth.seconds)


@dataclass
class _Growth:
    """Where growth is: the network that stands, and the last one that was trained, accepted or not."""

    events: RuleEvents
    accepted: Trained | None = None
    last_trained: Trained | None = None
    solves: int = 0
    seconds: float = 0.0

    @property
    def config(self) -> GrowthConfig:
        return self.events.config

    def add_layers(self) -> Asking[Ending]:
        """Open layer after layer until one does not improve by ε_l; return why growth ended."""
        layer = 0
        while layer < self.config.max_layers:
            layer += 1
            before = self.accepted
            baseline = self.last_trained if self.config.layer_baseline == "rejected" else before
            last, diverged = yield from self.add_blocks(layer)
            if self.accepted is before:
                return ending("layer_diverged" if diverged else "rejected_by_hand", layer=layer)
            decision, verdict = yield from self.judge_layer(layer, before, baseline, last)
            if decision == REJECT:
                self.accepted = before
                if verdict == REJECT:
                    return ending("layer_rejected", layer=layer, metric=self.config.metric)
                return ending("rejected_by_hand", layer=layer)
            if decision == STOP:
                return ending("stopped_by_hand", layer=layer)
        return ending("max_layers", max_layers=self.config.max_layers)

    def add_blocks(self, layer: int) -> Asking[tuple[str, bool]]:
        """Add block after block to a layer until one, and ``patience`` larger ones after it, do not improve by ε_b.

        Return the last decision, and whether the training of the last candidate diverged.
        """
        below, block, width, failures = widths_of(self.accepted), 0, 0, 0
        decision, diverged = ACCEPT, False
        while (wider := width + (failures + 1) * self.config.block_width) <= self.config.max_width:
            block += 1
            candidate = yield from self.train(layer, block, (*below, wider))
            diverged = candidate.outcome.diverged
            decision = yield from self.judge_block(layer, block, candidate)
            if decision == REJECT:
                failures += 1
                if block == 1 or failures > self.config.patience:
                    break
                continue
            self.accepted, width, failures = candidate, wider, 0
            if decision != ACCEPT:
                break
        return decision, diverged

    def train(self, layer: int, block: int, widths: Widths) -> Asking[Trained]:
        """Have a candidate trained: new weights drawn, the readout solved, all of it fine-tuned."""
        yield self.events.block_proposed(layer, block, widths, self.accepted)
        self.solves += 1
        base = self.accepted and self.accepted.outcome.weights
        outcome = yield Candidate(layer=layer, block=block, widths=widths, base=base, solves=self.solves)
        assert isinstance(outcome, TrainedCandidate), "a candidate is answered with its outcome"
        self.seconds += outcome.seconds
        return Trained(widths, outcome)

    def judge_block(self, layer: int, block: int, candidate: Trained) -> Asking[str]:
        """Compare r_b with ε_b; return what is decided of the block."""
        before, diverged = self.accepted, candidate.outcome.diverged
        r_b = self.rate(before, candidate)
        enough = not diverged and (block == 1 or self.is_enough(r_b, self.events.epsilon_b(before)))
        decision = verdict = ACCEPT if enough else REJECT
        if self.config.decider == "person":
            decision = chosen((yield self.events.block_awaited(layer, block, before, candidate, r_b, verdict)))
        answer = yield self.events.block_judged(layer, block, before, candidate, r_b, (decision, verdict))
        if not diverged:
            self.last_trained = candidate
        if decision != REJECT and isinstance(answer, GrowthConfig):  # a branch
            self.events = replace(self.events, config=answer)
            return ACCEPT
        return decision

    def judge_layer(
        self, layer: int, before: Trained | None, baseline: Trained | None, last: str
    ) -> Asking[tuple[str, str]]:
        """Compare r_l with ε_l; return what is decided of the layer, and what the rule would decide."""
        assert self.accepted is not None, "a layer has a block"
        r_l = self.rate(baseline, self.accepted)
        verdict = ACCEPT if self.is_enough(r_l, self.events.epsilon_l(baseline)) else REJECT
        if last in (NEW_LAYER, STOP):  # the layer was accepted with its last block
            decision = last
        elif self.config.decider == "person":
            asked = self.events.layer_awaited(layer, before, baseline, self.accepted, r_l, verdict)
            decision = chosen((yield asked))
        else:
            decision = verdict
        yield self.events.layer_judged(layer, before, baseline, self.accepted, r_l, (decision, verdict))
        return decision, verdict

    def rate(self, before: Trained | None, after: Trained) -> float | None:
        """Return r_b or r_l; None where there is no network to compare with."""
        if before is None:
            return None
        return improvement_rate(self.config.metric, before.outcome.scores, after.outcome.scores)

    def is_enough(self, rate: float | None, epsilon: float) -> bool:
        return rate is None or is_enough(rate, epsilon, reject_equal=self.config.reject_equal)


def chosen(answer: Answer) -> str:
    assert isinstance(answer, str), "a question is answered with a decision"
    return answer
