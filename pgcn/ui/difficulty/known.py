"""What is known of a study: what came with the program at once, what was computed here once the store is there."""

from collections.abc import Sequence

from pgcn.studies.difficulty import Study
from pgcn.studies.difficulty.results import Outcome, Results, stored_outcomes
from pgcn.ui.graphs import store_is_at_hand
from pgcn.ui.recorded import recorded_for
from pgcn.ui.server import store


def known_results(studies: Sequence[Study]) -> tuple[list[Outcome], Results]:
    """Return what was computed here, and that with what came with the program."""
    own = (
        [outcome for study in studies for outcome in stored_outcomes(study, store())] if store_is_at_hand() else []
    )
    return own, Results([*own, *recorded_for([task for study in studies for task in study.tasks()])])
