"""The trainer of a search, as the registry wants it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.engine.fields import PreparedGraph
from pgcn.graph import Graph
from pgcn.methods.network import Network
from pgcn.methods.run import RunRecord, RunStep
from pgcn.methods.run_events import run_started
from pgcn.methods.search import SearchConfig
from pgcn.methods.search.model import ChildNet
from pgcn.methods.search.run import Search
from pgcn.methods.search.strategy import Strategy


@dataclass(frozen=True)
class SearchTrainer:
    """Searches with what proposes their architectures, a function of the settings."""

    method: str
    strategy: Callable[[Any], Strategy]

    def build(self, description: dict[str, Any], config: dict[str, Any]) -> ChildNet:
        """Return the network of a description, its weights 0."""
        return ChildNet.described(description, config, method=self.method)

    def accepted(self, graph: Graph, config: SearchConfig, record: RunRecord) -> Network | None:
        """Return the best network of a search that was interrupted."""
        return self._search(graph, config, record).network

    def steps(
        self,
        graph: Graph,
        configs: Sequence[SearchConfig],
        report_every: int,
        records: Mapping[int, RunRecord] | None = None,
    ) -> Iterator[RunStep]:
        """Yield what happens in every search, one after the other, and each best network."""
        records = records or {}
        for run, config in enumerate(configs):
            if run not in records:
                yield run, run_started(graph, self.method, config), None
        prepared = PreparedGraph(graph, configs[0].device)
        for run, config in enumerate(configs):
            for event, network in self._search(graph, config, records.get(run)).go(prepared, report_every):
                yield run, event, network

    def _search(self, graph: Graph, config: SearchConfig, record: RunRecord | None) -> Search:
        return Search(self.method, self.strategy(config), graph, config, record)
