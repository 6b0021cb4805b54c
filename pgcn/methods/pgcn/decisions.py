"""What a person may decide in the rule's place. No torch.

=========== ==================================================== ===============================
decision    of a trained block                                   of a layer that grows no more
=========== ==================================================== ===============================
accept      it stays, the next block of its layer is tried       it stays, the next layer begins
reject      it goes; without patience left its layer is closed    it goes, and growth ends
new layer   it stays, and the next layer begins                  as accept
stop        it stays, and growth ends                            it stays, and growth ends
undo        the last accepted block is a candidate again         the same
=========== ==================================================== ===============================

A layer whose first block goes has nothing in it: it goes too, and growth ends.
"""

from pgcn.config import RunConfig
from pgcn.errors import ConfigError

ACCEPT, REJECT, NEW_LAYER, STOP, UNDO = DECISIONS = ("accept", "reject", "new_layer", "stop", "undo")
WORDS = {ACCEPT: "accept", REJECT: "reject", NEW_LAYER: "new layer", STOP: "stop here", UNDO: "undo"}


def block_choices(*, first: bool, last: bool, diverged: bool) -> tuple[str, ...]:
    """Return what may be decided of a block: the ``first`` of all, in the ``last`` layer that may be."""
    if diverged:
        possible = {REJECT: True, UNDO: not first}
    else:
        possible = {ACCEPT: True, REJECT: not first, NEW_LAYER: not last, STOP: True, UNDO: not first}
    return tuple(decision for decision, is_possible in possible.items() if is_possible)


def layer_choices(*, first: bool, last: bool) -> tuple[str, ...]:
    """Return what may be decided of a layer: the ``first`` of all, or the ``last`` that may be."""
    possible = {ACCEPT: True, REJECT: not first, NEW_LAYER: not last, STOP: True, UNDO: True}
    return tuple(decision for decision, is_possible in possible.items() if is_possible)


def check_rule_decides(config: RunConfig) -> None:
    """Refuse settings under which a person is asked, where nobody can answer: in a study or a race."""
    if getattr(config, "decider", "rule") == "person":
        raise ConfigError(
            "decider = person is for a single run, on the Grow page or with 'pgcn grow --steer': nobody can be "
            "asked here. Use decider=rule."
        )
