"""The growth rule with undo. No tensors, no training: it answers the rule again as it was answered before."""

from collections.abc import Generator, Mapping
from dataclasses import replace

from pgcn.events import DecisionAwaited, Event, RunFinished
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Answer, Candidate, TrainedCandidate
from pgcn.methods.pgcn.decisions import REJECT, UNDO
from pgcn.methods.pgcn.events import BlockAccepted, BlockAwaited, Undone
from pgcn.methods.pgcn.rule import growth_rule

Rule = Generator[Candidate | Event, Answer, None]


def steered_rule(
    config: GrowthConfig, num_features: int, num_classes: int, counts: Mapping[str, int] | None = None
) -> Rule:
    """Yield what :func:`pgcn.methods.pgcn.rule.growth_rule` yields; a question may be answered with undo, too.

    To undo is to ask again about the last block that was accepted, with the network before it. All that the rule
    knew then it knows again, because it depends on nothing but the answers up to there. What a branch has from its
    parent cannot be undone.
    """
    rule = growth_rule(config, num_features, num_classes, counts)
    path: list[tuple[Candidate | Event, Answer]] = []  # all that was answered and led to where the rule is
    lost = 0.0  # seconds of training that was undone
    message = next(rule)
    while True:
        if isinstance(message, RunFinished) and lost:
            message = replace(message, seconds=message.seconds + lost)
        kept = last_accepted(path)
        if isinstance(message, DecisionAwaited) and kept is None:
            message = replace(message, choices=tuple(choice for choice in message.choices if choice != UNDO))
        answer = yield message
        if answer == UNDO and kept is not None:
            lost += sum(given.seconds for _, given in path[kept:] if isinstance(given, TrainedCandidate))
            rule = growth_rule(config, num_features, num_classes, counts)
            message, path = answered_again(rule, path[:kept]), path[:kept]
            yield undone(message)
            continue
        if answer is not None:
            path.append((message, answer))
        try:
            message = rule.send(answer)
        except StopIteration:
            return


def last_accepted(path: list[tuple[Candidate | Event, Answer]]) -> int | None:
    """Return the place of the answer that accepted the last block; None where that cannot be undone.

    The first block of all cannot: it leaves no network behind.
    """
    for place, (asked, answer) in reversed(list(enumerate(path))):
        if isinstance(asked, BlockAccepted):  # where a branch begins
            return None
        if isinstance(asked, BlockAwaited) and answer != REJECT:
            return place if asked.before else None
    return None


def answered_again(rule: Rule, path: list[tuple[Candidate | Event, Answer]]) -> BlockAwaited:
    """Lead a new rule along a path to the question at its end."""
    message = next(rule)
    for asked, answer in path:
        while not is_same_place(asked, message):
            message = rule.send(None)
        message = rule.send(answer)
    while not isinstance(message, DecisionAwaited):
        message = rule.send(None)
    assert isinstance(message, BlockAwaited)
    return message


def is_same_place(asked: Candidate | Event, message: Candidate | Event) -> bool:
    """Return whether a rule is where it was answered before; only these kinds of messages ever are."""
    return type(asked) is type(message) and isinstance(message, Candidate | DecisionAwaited | BlockAccepted)


def undone(asked: BlockAwaited) -> Undone:
    return Undone(
        layer=asked.layer,
        block=asked.block,
        topology=asked.topology,
        parameters=asked.parameters,
        scores=asked.before,
    )
