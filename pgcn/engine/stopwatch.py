"""Working time."""

import time


class Stopwatch:
    """Measures working time: seconds since it was made, without those between ``pause`` and ``resume``."""

    def __init__(self) -> None:
        self._worked, self._since = 0.0, time.perf_counter()

    def pause(self) -> None:
        self._worked += time.perf_counter() - self._since

    def resume(self) -> None:
        self._since = time.perf_counter()

    @property
    def seconds(self) -> float:
        return self._worked + time.perf_counter() - self._since
