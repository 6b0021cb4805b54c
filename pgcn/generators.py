"""Generators that yield their progress and return a result. Standard library only."""

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Yielded = TypeVar("Yielded")
Returned = TypeVar("Returned")


class WithResult(Generic[Yielded, Returned]):
    """Iterate, once, over what a generator yields; then ``result`` is what it returned.

    A ``for`` loop alone drops the return value, and ``yield from`` passes on every value as it is::

        training = WithResult(train_candidates(prepared, configs, candidates))
        for epoch, losses in training:
            print(epoch, losses)
        outcomes = training.result
    """

    result: Returned

    def __init__(self, generator: Generator[Yielded, None, Returned]) -> None:
        self._generator = generator

    def __iter__(self) -> Iterator[Yielded]:
        self.result = yield from self._generator


def result_of(generator: Generator[object, None, Returned]) -> Returned:
    """Run a generator to its end and return its result, whatever it yields on the way."""
    run = WithResult(generator)
    for _ in run:
        pass
    return run.result
