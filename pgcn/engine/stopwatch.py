"""How long was worked."""

import time


class Stopwatch:
    """Counts the seconds worked, not those in which nobody asked for more."""

    def __init__(self) -> None:
        self._worked, self._since = 0.0, time.perf_counter()

    def pause(self) -> None:
        self._worked += time.perf_counter() - self._since

    def go_on(self) -> None:
        self._since = time.perf_counter()

    @property
    def seconds(self) -> float:
        return self._worked + time.perf_counter() - self._since
