"""When training ends and whose weights it leaves, by accuracy and loss on the validation nodes."""

import math

from pgcn.methods.endings import Ending, ending


class EarlyStopping:
    """Patience begins anew at a record, weights are kept at some; equal to the best is a record too.

    rule      patience begins anew at a record in   weights are kept at
    both      accuracy or loss                      a record in both (GAT's code)
    accuracy  accuracy                              a record in accuracy (GAT's authors on CiteSeer)
    ranked    accuracy or loss                      a higher accuracy than that of the weights kept, or an equal one
                                                    with a lower loss (APPNP's code)

    Without ``patience`` it never stops.
    """

    def __init__(self, patience: int | None, rule: str = "both") -> None:
        self.patience, self.rule = patience, rule
        self.best_accuracy, self.lowest_loss, self.waited = 0.0, math.inf, 0
        self.epoch = 0
        self._kept = (-1.0, -math.inf)

    def update(self, epoch: int, loss: float, accuracy: float) -> bool:
        """Take note of an epoch; return whether its weights are to be kept, in place of those kept before."""
        in_accuracy, in_loss = accuracy >= self.best_accuracy, loss <= self.lowest_loss
        keeps = {
            "both": in_accuracy and in_loss,
            "accuracy": in_accuracy,
            "ranked": (accuracy, -loss) > self._kept,
        }
        if keeps[self.rule]:
            self.epoch, self._kept = epoch, (accuracy, -loss)
        self.best_accuracy = max(accuracy, self.best_accuracy)
        self.lowest_loss = min(loss, self.lowest_loss)
        renewed = in_accuracy if self.rule == "accuracy" else in_accuracy or in_loss
        self.waited = 0 if renewed else self.waited + 1
        return keeps[self.rule]

    @property
    def is_over(self) -> bool:
        return self.waited == self.patience

    def ending(self, epochs: int) -> Ending:
        """Return why a run of so many epochs ended, and with the weights of which epoch."""
        weights_of = {"best_epoch": self.epoch, "rule": self.rule}
        if self.is_over:
            return ending("patience", epochs=epochs, patience=self.patience, **weights_of)
        return ending("epochs", epochs=epochs, **weights_of)
