"""The browser's history: every view that a visitor chose is one step of it, and Back and Forward return to it.

A page writes what it shows into its address (:func:`pgcn.ui.session.show_link`). Streamlit makes each address a
step; ``web/components/history.js`` only those by which the visitor chose another view. What Back and Forward ask
for is followed like a link that is new (:func:`pgcn.ui.session.new_link`).
"""

from streamlit.runtime.scriptrunner import get_script_run_ctx

VIEW: dict[str, tuple[str, ...]] = {
    "grow": ("run", "batch"),
    "embedding": ("run", "method", "nodes", "perplexity", "seed", "gcn", "dimensions"),
    "arena": (
        *("dataset", "view", "figure", "table", "methods", "runs", "split", "splits", "budget", "reproducible"),
        *("at", "one", "other", "run", "train", "seed", "clock"),
    ),
}
"""By page: the parts of its address that name a view. Others may change without a step, such as settings while they
are edited. A page that is not listed has a step for every choice, but not for a job that begins or ends."""

IN_THE_BROWSER: dict[str, tuple[str, ...]] = {"embedding": ("at", "colour", "counted", "node")}
"""By page: the parts of its address that are chosen in the browser, which alone knows them."""


def keep_history(page: str) -> None:
    """Have the browser keep one step of its history for every view of this page."""
    from pgcn.ui.components import show_history  # it is served only if it is imported while a page is shown

    show_history(VIEW.get(page), IN_THE_BROWSER.get(page, ()))


def is_history_step() -> bool:
    """Return whether the visitor went Back or Forward to this address.

    Read from the context of the run, because Streamlit says it nowhere else; tests/ui/test_session.py notices if it
    goes.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation
