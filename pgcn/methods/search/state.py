"""Where a search is: what it has tried, what it retrained, and the network it would leave."""

from collections.abc import Sequence

import torch

from pgcn.errors import PgcnError
from pgcn.events import Event
from pgcn.graph import Graph
from pgcn.methods.network import Network, final_network
from pgcn.methods.run import RunRecord
from pgcn.methods.search import SearchConfig
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.model import ChildNet
from pgcn.methods.search.sharing import SharedHeads
from pgcn.methods.search.space import INNER, Architecture
from pgcn.methods.search.strategy import Proposal, Strategy


class SearchState:
    """The state of a search, taken up from a record where there is one."""

    def __init__(
        self,
        method: str,
        strategy: Strategy,
        graph: Graph,
        config: SearchConfig,
        record: RunRecord | None = None,
    ) -> None:
        self.method, self.strategy, self.graph, self.config = method, strategy, graph, config
        self.combine_width = getattr(config, "combine_width", INNER)
        self.shared = SharedHeads() if getattr(config, "share", False) else None
        self.shared_epochs: int = getattr(config, "shared_epochs", config.child_epochs)
        self._proposal = Proposal(choices=())
        self.judged: list[ArchitectureJudged] = []
        self.finals: list[FinalTrained] = []
        self.network: Network | None = None
        self._step = 0
        if record:
            for event in record.standing:
                self._replay(event, record)

    def _replay(self, event: Event, record: RunRecord) -> None:
        """Take in an event of the record: the controller learns again what it had learned."""
        if isinstance(event, ArchitectureProposed):
            self._proposal = Proposal(choices=event.choices, decision=event.decision)
        elif isinstance(event, ArchitectureJudged | FinalTrained):
            if event.best:
                self._step += 1
                if self._step not in record.weights:
                    raise PgcnError(f"The record lacks the weights of step {self._step}; it cannot be resumed.")
                self.network = self._network(event, record.weights[self._step])
            if isinstance(event, FinalTrained):
                self.finals.append(event)
                return
            self.judged.append(event)
            self.strategy.learn(self._proposal, event.val_accuracy, best=event.best)
            if self.shared and event.best:
                model = self.model(self.architecture(event.choices), share=True)
                model.load_state_dict(record.weights[self._step])
                self.shared.hand_on(model)

    @property
    def seconds(self) -> float:
        """Seconds of all training so far."""
        searching = sum(event.seconds for event in self.judged)
        return searching + sum(event.seconds for event in self.finals)

    def tried(self) -> dict[str, ArchitectureJudged]:
        """Return what was judged, by architecture, as it was when it was trained."""
        return {event.text: event for event in reversed(self.judged)}

    def best_rank(self) -> tuple[float, float]:
        ranks = ((event.val_accuracy, -event.val_loss) for event in self.judged if not event.diverged)
        return max(ranks, default=(-1.0, 0.0))

    def architecture(self, choices: Sequence[int]) -> Architecture:
        return self.strategy.space.architecture(choices, self.graph.num_classes)

    def model(self, architecture: Architecture, *, share: bool) -> ChildNet:
        num_features = self.graph.num_features
        shared = self.shared.of(architecture, num_features) if self.shared and share else None
        return ChildNet(
            architecture,
            num_features=num_features,
            num_classes=self.graph.num_classes,
            combine_width=self.combine_width,
            shared=shared,
            method=self.method,
            config=self.config.to_dict(),
        ).to(self.config.device)

    def accept(self, model: ChildNet, event: ArchitectureJudged | FinalTrained) -> Network:
        self._step += 1
        self.network = self._network(event, final_network(model, topology=(), scores=None).weights)
        return self.network

    def _network(self, event: ArchitectureJudged | FinalTrained, weights: dict[str, torch.Tensor]) -> Network:
        return Network(
            step=self._step,
            description=self.model(self.architecture(event.choices), share=False).description,
            weights=weights,
            topology=event.topology,
            parameters=event.parameters,
            scores=event.scores,
        )
