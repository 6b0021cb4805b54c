"""Whether a job waits for a person: it was paused, has taken the steps asked of it, or asks something."""

import time


class Pausing:
    """A job that is to pause after so many steps, or not at all; its job's lock guards it."""

    def __init__(self, steps: int | None = None) -> None:
        self._paused, self._steps = steps is not None, steps or 0
        self._since: float | None = None
        self.asking = False
        """Whether the work waits for a person's decision."""

    @property
    def waits(self) -> bool:
        """Whether there is nothing to do until somebody says so."""
        return self.asking or (self._paused and not self._steps)

    def seconds(self) -> float:
        """Return for how long it has waited."""
        return time.monotonic() - self._since if self.waits and self._since is not None else 0.0

    def pause(self) -> None:
        self._paused, self._steps, self._since = True, 0, time.monotonic()

    def resume(self) -> None:
        self._paused, self._steps, self._since = False, 0, None

    def step(self) -> None:
        """Allow one more step; to ask for it twice is to ask for it once."""
        self._paused, self._steps, self._since = True, max(1, self._steps), None

    def took(self, steps: int) -> None:
        """Count steps that were taken."""
        if self._steps and steps:
            self._steps = max(0, self._steps - steps)
            self._since = time.monotonic()

    def ask(self) -> None:
        self.asking, self._since = True, time.monotonic()

    def answer(self) -> None:
        self.asking, self._since = False, None
