"""How long a page keeps the script thread busy: it must not be long."""

import functools
import logging
import time

LOG = logging.getLogger(__name__)
LONG = 0.1


def timed(name: str):
    """Log how long a function of a page takes, as a warning where the thread itself worked for more than 100 ms."""

    def decorate(function):
        @functools.wraps(function)
        def measured(*args, **kwargs):
            wall, work = time.perf_counter(), time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                wall, work = time.perf_counter() - wall, time.thread_time() - work
                level = logging.WARNING if work > LONG else logging.DEBUG
                LOG.log(level, "%s worked %.0f ms in %.0f ms", name, 1000 * work, 1000 * wall)

        return measured

    return decorate
