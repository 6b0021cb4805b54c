"""A method of twenty lines that ignores the graph, made by the steps of CONTRIBUTING.md. Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import NetworkSize, RunConfig, device_option, option, seed_option


@dataclass(frozen=True, kw_only=True)
class ThrowawayConfig(RunConfig):
    epochs: int = option(5, "Epochs.", at_least=1, at_most=1_000)
    seed: int = seed_option()
    device: str = device_option()

    def size(self) -> NetworkSize:
        return NetworkSize()  # no hidden layer
