"""Every error this package raises on purpose. Each message says what was wrong, what was got, what to do."""


class PgcnError(Exception):
    """Something the user can put right. The command line and the pages show the message, not a traceback."""


class ConfigError(PgcnError, ValueError):
    """A setting is unknown or out of range."""


class GraphError(PgcnError, ValueError):
    """A graph cannot be used: its parts do not fit together or it has nothing to learn from."""


class DataError(PgcnError):
    """A data set is unknown, not to be had, or its files are damaged."""


class ModelFileError(PgcnError):
    """A saved model cannot be read."""


class StoreError(PgcnError):
    """The database of runs cannot be opened, or does not hold what was asked for."""


class BusyError(PgcnError):
    """A server has no room for a job: there are too many, or it would take too much memory."""


class StoreUnavailable(StoreError):
    """The store cannot be read or written at the moment: it is locked, its disk is full, its server is away."""


class AccessError(PgcnError):
    """A visitor of the pages may not do this."""


def shown(value: object, *, longest: int = 80) -> str:
    """Return what was got as an error shows it: as Python writes it, the middle left out where it is long."""
    try:
        text = repr(value)
    except Exception:  # such as a whole number of 5,000 digits, which Python does not write
        return f"a value of type {type(value).__name__} that cannot be written here"
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]}…{text[-8:]} ({len(text):,} characters)"


def no_such(kind: str, name: object, choices) -> str:
    """Return the sentence for a name that is not among the choices."""
    return f"No {kind} named {shown(name)}. Choose one of: {', '.join(choices)}."
