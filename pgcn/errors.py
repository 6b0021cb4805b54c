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


def no_such(kind: str, name: object, choices) -> str:
    """Return the sentence for a name that is not among the choices."""
    return f"No {kind} named {name!r}. Choose one of: {', '.join(choices)}."
