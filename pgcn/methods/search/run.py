"""A search: propose, train, judge, learn, again and again; then train the best anew.

Architectures are judged by validation accuracy alone. One that was tried before is looked up, not trained again;
one that is larger than the settings allow is not trained, and another is proposed in its place.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import mixed_seed
from pgcn.engine.stopwatch import Stopwatch
from pgcn.errors import ConfigError
from pgcn.events import Event, RunFinished
from pgcn.generators import WithResult
from pgcn.methods.endings import ending, failed
from pgcn.methods.network import Network
from pgcn.methods.run_events import finished
from pgcn.methods.search.child import Trained, Training
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.model import ChildNet
from pgcn.methods.search.space import Architecture
from pgcn.methods.search.state import SearchState
from pgcn.methods.search.strategy import Proposal

ATTEMPTS = 1_000
"""Proposals in a row that may be too large before the search says that nothing fits."""
Change = tuple[Event, Network | None]


class Search(SearchState):
    """One search on its way. Made with a record it stands where that ends."""

    def go(self, prepared: PreparedGraph, report_every: int) -> Iterator[Change]:
        """Search on, to the end."""
        training = Training(prepared, self.config)
        yield from self._search(training, report_every)
        yield from self._retrain(training, report_every)
        yield self._ended(), None

    def _search(self, training: Training, report_every: int) -> Iterator[Change]:
        config = self.config
        while len(self.judged) < config.architectures and not self.finals:
            if config.max_seconds is not None and self.seconds >= config.max_seconds:
                return
            clock, number = Stopwatch(), len(self.judged) + 1
            proposal, architecture, skipped = self._propose(number)
            model = self.model(architecture, share=True)
            about: dict[str, Any] = {
                "number": number,
                "budget": config.architectures,
                "choices": proposal.choices,
                "text": str(architecture),
                "topology": architecture.topology,
                "parameters": model.num_parameters,
            }
            inherited = model.num_inherited
            clock.pause()
            yield (
                ArchitectureProposed(**about, skipped=skipped, decision=proposal.decision, inherited=inherited),
                None,
            )
            clock.resume()
            before = self.tried().get(about["text"])
            if before is None:
                trained = yield from self._trained(training, model, ("child", number), report_every, clock)
            else:
                trained = Trained(
                    val_accuracy=before.val_accuracy, val_loss=before.val_loss, epoch=before.epoch, weights=None
                )
            yield self._judge(proposal, about, model, trained, training, clock, repeated=before is not None)

    def _propose(self, number: int) -> tuple[Proposal, Architecture, int]:
        """Return an architecture that is small enough, and how many were proposed before that are not."""
        for attempt in range(ATTEMPTS):
            proposal = self.strategy.propose(number, attempt)
            architecture = self.architecture(proposal.choices)
            count = architecture.parameters(self.graph.num_features, self.combine_width)
            widest = max(layer.width for layer in architecture.layers)
            if widest <= self.config.max_width and count <= self.config.max_parameters:
                return proposal, architecture, attempt
        raise ConfigError(
            f"None of {ATTEMPTS:,} proposed architectures has layers of at most {self.config.max_width:,} neurons "
            f"and at most {self.config.max_parameters:,} parameters on {self.graph.name}, which has "
            f"{self.graph.num_features:,} features. Raise max_width or max_parameters."
        )

    def _trained(
        self,
        training: Training,
        model: ChildNet,
        purpose: tuple[object, ...],
        report_every: int,
        clock: Stopwatch,
    ) -> Generator[Change, None, Trained]:
        """Train a model with random numbers of its own; yield its losses, return what it came to."""
        generator = torch.Generator().manual_seed(mixed_seed(self.config.seed, self.method, *purpose))
        model.initialise(generator)
        if self.shared:
            self.shared.begin(model)
        epochs = self.shared_epochs if model.num_inherited else self.config.child_epochs
        patience = self.config.patience if purpose[0] == "child" else None
        events = WithResult(
            training.train(model, generator, epochs=epochs, patience=patience, report_every=report_every)
        )
        for event in events:
            clock.pause()
            yield event, None
            clock.resume()
        return events.result

    def _judge(
        self,
        proposal: Proposal,
        about: Mapping[str, Any],
        model: ChildNet,
        trained: Trained,
        training: Training,
        clock: Stopwatch,
        *,
        repeated: bool,
    ) -> Change:
        """Say what an architecture came to, and what is learned from it."""
        scores = None
        if trained.weights is not None and trained.rank > self.best_rank():
            model.load_state_dict(trained.weights)
            scores = training.scores(model)
        best = scores is not None
        if self.shared and not repeated:
            if best:
                self.shared.hand_on(model)
            else:
                self.shared.set_back()
        lesson = self.strategy.learn(proposal, trained.val_accuracy, best=best)
        event = ArchitectureJudged(
            **about,
            val_accuracy=trained.val_accuracy,
            val_loss=trained.val_loss,
            epoch=trained.epoch,
            best=best,
            scores=scores,
            repeated=repeated,
            diverged=not trained.epoch,
            reward=lesson.reward,
            baseline=lesson.baseline,
            preferences=self.strategy.preferences(),
            seconds=clock.seconds,
        )
        self.judged.append(event)
        return event, self.accept(model, event) if best else None

    def _retrain(self, training: Training, report_every: int) -> Iterator[Change]:
        """Train the best architectures again, each from weights drawn anew."""
        ranked = sorted(
            (event for event in self.tried().values() if not event.diverged),
            key=lambda event: (-event.val_accuracy, event.val_loss, event.number),
        )
        chosen = self.strategy.finals([event.choices for event in ranked], self.config.final_runs)
        for number in range(len(self.finals) + 1, len(chosen) + 1):
            clock = Stopwatch()
            choices = chosen[number - 1]
            model = self.model(self.architecture(choices), share=False)
            trained = yield from self._trained(training, model, ("final", number), report_every, clock)
            scores = None
            if trained.weights is not None:
                model.load_state_dict(trained.weights)
                scores = training.scores(model)
            known = [event.scores for event in self.finals if event.scores]
            rank = max(((s.val_accuracy, -s.val_loss) for s in known), default=(-1.0, 0.0))
            event = FinalTrained(
                number=number,
                count=len(chosen),
                choices=choices,
                text=str(model.architecture),
                topology=model.architecture.topology,
                parameters=model.num_parameters,
                scores=scores,
                best=scores is not None and (scores.val_accuracy, -scores.val_loss) > rank,
                seconds=clock.seconds,
            )
            self.finals.append(event)
            yield event, self.accept(model, event) if event.best else None

    def _ended(self) -> RunFinished:
        tried = len(self.judged)
        if self.network is None or not any(event.best for event in self.finals):
            found_none = ending("nothing_found", tried=tried, learning_rate=self.config.learning_rate)
            return failed(found_none, seconds=self.seconds)
        searched = ending("searched", tried=tried, finals=len(self.finals))
        return finished(self.network, ending=searched, seconds=self.seconds)
