"""What a visitor has open on the Predictions page: one typed object, its link and its jobs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pgcn.errors import PgcnError, shown
from pgcn.predictions.table import Predictions
from pgcn.predictions.work import stored_spec
from pgcn.ui.access import why_not_control
from pgcn.ui.grow.jobs import memory_of
from pgcn.ui.links import read_ids, unknown_names
from pgcn.ui.server import store, submit
from pgcn.ui.session import Session, is_requested, new_link, save_session, saved_session

VIEWS = {
    "table": "All nodes",
    "calibration": "Calibration",
    "label": "Label these next",
    "why": "Why this class?",
}

SCALED = {None: "", True: "yes", False: "no"}
"""How a link says whether probabilities are those at the fitted temperature."""


@dataclass
class PredictionsSession(Session):
    """The run, the view, the node that is explained, and the run that was grown with more labels."""

    run: str = ""
    view: str = "table"
    node: str = ""
    scaled: bool | None = None
    """Probabilities are those at the fitted temperature; None where it depends on the run: ``fits_squares``."""
    fits_squares: bool = False
    grown: str = ""
    wanted: bool = False
    """The visitor came here by a click: a link that is opened starts nothing."""
    found: tuple[Any, Predictions] | None = None

    @property
    def is_scaled(self) -> bool:
        return self.fits_squares if self.scaled is None else self.scaled

    def query(self) -> dict[str, str]:
        view = "" if self.view == "table" else self.view
        values = {"run": self.run, "view": view, "node": self.node, "scaled": SCALED[self.scaled]}
        values |= {"grown": self.grown, "job": self.job}
        return {name: value for name, value in values.items() if value}

    def start(self, begin: Callable[[Callable[[str], None]], Any], run: str) -> None:
        """Start a job on the graph of a run; say so where there is no room for it."""
        self.problems, self.wanted = [], False
        if self.is_busy():
            return
        try:
            self.follow(submit(begin, memory=memory_of([stored_spec(store(), run)])))
        except PgcnError as error:
            self.problems = [str(error)]


def predictions_session() -> PredictionsSession:
    """Return this visitor's session, read from the link if the link is new."""
    wanted = is_requested("predictions")
    query = new_link("predictions")
    if query is None:
        return saved_session("predictions")
    ids, problems = read_ids(query, ("run", "job", "grown"))
    session = PredictionsSession(**ids, wanted=wanted, node=query.get("node", "")[:200])
    session.scaled = {text: choice for choice, text in SCALED.items()}.get(query.get("scaled", ""))
    view = query.get("view", "table")
    if view in VIEWS:
        session.view = view
    else:
        problems.append(f"view must be one of {', '.join(VIEWS)}, got {shown(view)}. It is ignored.")
    session.problems = problems + unknown_names(query, {"run", "job", "grown", "view", "node", "scaled"})
    save_session("predictions", session, widgets="predictions_")
    return session


def compute(session: PredictionsSession, node: int | None = None) -> None:
    """Have the predictions, or the explanation of a node, computed."""
    database, run = store(), session.run

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.predictions.work import PredictionWork

        return PredictionWork(database, run, node, progress)

    session.start(start, run)


def stop(session: PredictionsSession) -> None:
    job = session.current_job()
    if job is not None and not why_not_control(job):
        job.cancel("Stopped on the page.")
