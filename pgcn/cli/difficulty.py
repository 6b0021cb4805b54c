"""``pgcn difficulty``: PGCN against GCN as features get fewer, the paper's study over D'."""

import argparse
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.cli.options import Commands, add_preset, add_settings, add_study, check_study, whole_number
from pgcn.errors import ConfigError

if TYPE_CHECKING:
    from pgcn.store import Store
    from pgcn.studies.difficulty import Study


def add_parser(commands: Commands) -> None:
    about = "PGCN against GCN as features get fewer: the paper's study over D'"
    command = commands.add_parser("difficulty", help=about)
    command.add_argument("--dataset", action="append", help="may be given more than once (default: cora)")
    command.add_argument("--dims", metavar="N,N,...", help="dimensions D' (default: 10,30,50,100,300)")
    command.add_argument("--rates", metavar="P,P,...", help="%% of nodes labelled (default: 50)")
    experiments = "number of random splits and projections (default: 3)"
    command.add_argument("--experiments", type=whole_number, default=3, metavar="N", help=experiments)
    methods = "pgcn-ce, pgcn-mse, gcn, matched-gcn, same-topology, or all (default: pgcn-ce,gcn)"
    command.add_argument("--methods", metavar="M,M,...", help=methods)
    add_preset(command)
    add_settings(command, "change settings of PGCN (the study's own change: dropout=0.1)")
    add_study(command, "csv", "html")
    check = "fail unless PGCN's lead over GCN shrinks as D' grows"
    command.add_argument("--check", action="store_true", help=check)
    command.set_defaults(action=run_studies)


def run_studies(arguments: argparse.Namespace) -> None:
    """Run what is not stored yet of a study for every data set, then show all of it."""
    from pgcn.cli.study_progress import run_missing
    from pgcn.cli.study_report import check_trend, show_outcomes
    from pgcn.cli.terminal import terminal
    from pgcn.store import Store
    from pgcn.studies.difficulty.estimate import seconds_by_task
    from pgcn.studies.difficulty.results import Outcome, Results, stored_outcomes

    check_study(arguments)
    store, console = Store(), terminal(stderr=True)
    studies = chosen_studies(arguments, store)

    def ended() -> list[Outcome]:
        return [outcome for study in studies for outcome in stored_outcomes(study, store)]

    run_missing(studies, store, arguments, console, lambda tasks: seconds_by_task(tasks, ended()))
    outcomes = ended()
    show_outcomes(outcomes, studies, arguments)
    if arguments.check:
        check_trend(Results(outcomes), studies, console)


def chosen_studies(arguments: argparse.Namespace, store: "Store") -> "list[Study]":
    """Return a study for every data set named."""
    from pgcn.config import assignments
    from pgcn.methods.pgcn import GrowthConfig
    from pgcn.studies.difficulty import CONTENDERS, DEFAULT_CONTENDERS, read_numbers, studies_of, study_growth

    names = arguments.methods.split(",") if arguments.methods else DEFAULT_CONTENDERS
    methods = tuple(CONTENDERS) if arguments.methods == "all" else tuple(name.strip() for name in names)
    changes = assignments(GrowthConfig, arguments.settings)
    for name in ("seed", "loss"):
        if name in changes:
            raise ConfigError(
                f"{name} is not set with --set here: the study sets it for every experiment and method."
            )
    chosen = {
        "experiments": arguments.experiments,
        "methods": methods,
        "growth": study_growth(arguments.preset, **changes),
        "reproducible": reproducible.is_on(),
    }
    if arguments.dims:
        chosen["dims"] = read_numbers(arguments.dims, int, "--dims")
    if arguments.rates:
        chosen["rates"] = read_numbers(arguments.rates, float, "--rates")
    return studies_of(arguments.dataset or ["cora"], store=store, **chosen)
