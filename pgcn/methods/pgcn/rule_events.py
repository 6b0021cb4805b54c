"""The events of the growth rule, made from the networks they are about. No tensors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pgcn.engine.architecture import count_parameters
from pgcn.events import RunFinished
from pgcn.methods.endings import Ending
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Trained, Widths, scores_of, widths_of
from pgcn.methods.pgcn.decisions import REJECT, block_choices, layer_choices
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockAwaited,
    BlockProposed,
    BlockRejected,
    LayerAccepted,
    LayerAwaited,
    LayerRejected,
)
from pgcn.methods.pgcn.improvement import NODES, threshold


@dataclass(frozen=True)
class RuleEvents:
    """The events of one run, made from the networks they are about."""

    config: GrowthConfig
    num_features: int
    num_classes: int
    counts: Mapping[str, int]

    def epsilon_b(self, before: Trained | None) -> float:
        """Return what r_b must reach."""
        return self._threshold(self.config.epsilon_b, before)

    def epsilon_l(self, before: Trained | None) -> float:
        """Return what r_l must reach."""
        return self._threshold(self.config.epsilon_l, before)

    def _threshold(self, epsilon: float, before: Trained | None) -> float:
        metric, margin = self.config.metric, self.config.margin
        nodes = self.counts.get(NODES[metric][0], 0) if margin else 0
        return threshold(epsilon, metric, scores_of(before), margin=margin, nodes=nodes)

    def parameters(self, widths: Widths) -> int:
        """Return how many parameters a network has; none without a hidden layer, before the first block."""
        return count_parameters(self.num_features, widths, self.num_classes, bias=self.config.bias) if widths else 0

    def block_proposed(self, layer: int, block: int, widths: Widths, before: Trained | None) -> BlockProposed:
        return BlockProposed(
            layer=layer,
            block=block,
            width=added(before, widths),
            topology=widths,
            parameters=self.parameters(widths),
        )

    def block_judged(
        self,
        layer: int,
        block: int,
        before: Trained | None,
        after: Trained,
        rate: float | None,
        decided: tuple[str, str],
    ) -> BlockAccepted | BlockRejected:
        accept = decided[0] != REJECT
        topology = after.widths if accept else widths_of(before)
        values = self._block(layer, block, topology, before, after, rate)
        return (BlockAccepted if accept else BlockRejected)(**values, **self._decided(decided))

    def block_awaited(
        self, layer: int, block: int, before: Trained | None, after: Trained, rate: float | None, verdict: str
    ) -> BlockAwaited:
        choices = block_choices(
            first=before is None, last=layer == self.config.max_layers, diverged=after.outcome.diverged
        )
        values = self._block(layer, block, widths_of(before), before, after, rate)
        return BlockAwaited(**values, rule=verdict, choices=choices)

    def _block(
        self,
        layer: int,
        block: int,
        topology: Widths,
        before: Trained | None,
        after: Trained,
        rate: float | None,
    ) -> dict[str, Any]:
        outcome = after.outcome
        return {
            "layer": layer,
            "block": block,
            "width": added(before, after.widths),
            "topology": topology,
            "parameters": self.parameters(topology),
            "parameters_before": self.parameters(widths_of(before)),
            "metric": self.config.metric,
            "before": scores_of(before),
            "solved": outcome.solved,
            "after": outcome.scores,
            "rate": rate,
            "epsilon": self.epsilon_b(before),
            "error_before": before.outcome.error_tuned if before else None,
            "error_solved": outcome.error_solved,
            "error_tuned": outcome.error_tuned,
            "loss": outcome.loss,
            "seconds": outcome.seconds,
        }

    def _decided(self, decided: tuple[str, str]) -> dict[str, Any]:
        """Return what a person decided and what the rule would have done; nothing where the rule decides."""
        by_hand = self.config.decider == "person"
        return {"decision": decided[0], "rule": decided[1]} if by_hand else {}

    def layer_judged(
        self,
        layer: int,
        before: Trained | None,
        baseline: Trained | None,
        after: Trained,
        rate: float | None,
        decided: tuple[str, str],
    ) -> LayerAccepted | LayerRejected:
        accept = decided[0] != REJECT
        values = self._layer(layer, after.widths if accept else widths_of(before), baseline, after, rate)
        return (LayerAccepted if accept else LayerRejected)(**values, **self._decided(decided))

    def layer_awaited(
        self,
        layer: int,
        before: Trained | None,
        baseline: Trained | None,
        after: Trained,
        rate: float | None,
        verdict: str,
    ) -> LayerAwaited:
        choices = layer_choices(first=before is None, last=layer == self.config.max_layers)
        values = self._layer(layer, after.widths, baseline, after, rate)
        return LayerAwaited(**values, rule=verdict, choices=choices)

    def _layer(
        self, layer: int, topology: Widths, baseline: Trained | None, after: Trained, rate: float | None
    ) -> dict[str, Any]:
        width = after.widths[-1]
        return {
            "layer": layer,
            "blocks": width // self.config.block_width,
            "width": width,
            "topology": topology,
            "parameters": self.parameters(topology),
            "metric": self.config.metric,
            "before": scores_of(baseline),
            "after": after.outcome.scores,
            "rate": rate,
            "epsilon": self.epsilon_l(baseline),
        }

    def run_finished(self, network: Trained | None, ending: Ending, seconds: float) -> RunFinished:
        return RunFinished(
            status="finished" if network else "failed",
            ending=ending.kind,
            facts=dict(ending.facts),
            topology=widths_of(network),
            parameters=self.parameters(widths_of(network)),
            scores=scores_of(network),
            seconds=seconds,
        )


def added(before: Trained | None, widths: Widths) -> int:
    """Return how many neurons a candidate adds to the last layer of its widths."""
    return widths[-1] - (before.widths[-1] if before and len(before.widths) == len(widths) else 0)
