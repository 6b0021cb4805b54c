"""``pgcn verify``: does this machine compute the recorded results that come with the program?"""

import argparse

from pgcn import reproducible
from pgcn.cli.options import Commands, add_data_dir
from pgcn.errors import PgcnError


def add_parser(commands: Commands) -> None:
    about = "recompute recorded results and check that this machine reproduces them"
    command = commands.add_parser("verify", help=about)
    command.add_argument(
        "--all",
        action="store_true",
        help=(
            "all recorded runs, studies of difficulty and arena, which takes hours (default: a "
            "selection, about a minute)"
        ),
    )
    add_data_dir(command)
    command.set_defaults(action=verify, reproducible=True)


def verify(arguments: argparse.Namespace) -> None:
    """Recompute recorded results and print of each whether it is equal; raise where any is not."""
    import torch

    from pgcn import verification
    from pgcn.cli.terminal import terminal

    console = terminal()
    obstacle = reproducible.obstacle()
    if obstacle:
        console.print(f"The reproducible mode gives no guarantee on this machine: {obstacle}.")
    recorded_with = verification.torch_recorded_with()
    if recorded_with.partition("+")[0] != str(torch.__version__).partition("+")[0]:
        console.print(
            f"Recorded with torch {recorded_with}, this is torch {torch.__version__}: another release may compute "
            "differently."
        )
    total = different = 0
    for result in verification.verifications(everything=arguments.all, data_dir=arguments.data_dir):
        total += 1
        different += bool(result.differences)
        console.print(f"{'differs' if result.differences else 'equal  '}  {result.name}")
        for sentence in result.differences:
            console.print(f"         {sentence}")
    if different:
        raise PgcnError(f"{different} of {total} recorded results are not what this machine computes.")
    console.print(f"All {total} are equal to what was recorded (torch {recorded_with}).")
