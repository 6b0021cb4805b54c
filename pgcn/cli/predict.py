"""``pgcn predict``: what a stored network says of every node, as a table with one's own ids and names."""

import argparse

from pgcn.cli.options import Commands, add_data_dir, add_stored_run, output_file, write_file


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("predict", help="predict the class of every node with a stored run's network")
    add_stored_run(command)
    command.add_argument("--out", metavar="FILE", required=True, help="a row for every node, as .csv or .parquet")
    command.add_argument(
        "--graph", metavar="NAME", help="predict on another graph with the same features, such as a newer"
    )
    command.add_argument("--unknown", action="store_true", help="only nodes whose class is not known")
    about = (
        "probabilities at a temperature that makes it as sure as it is right, fitted on validation nodes "
        "(default: of networks that were fitted to squared error)"
    )
    command.add_argument("--calibrate", action=argparse.BooleanOptionalAction, help=about)
    add_data_dir(command)
    command.set_defaults(action=predict_nodes)


def predict_nodes(arguments: argparse.Namespace) -> None:
    """Write the predictions, and say how many."""
    from pgcn.cli.progress import transfer_progress
    from pgcn.cli.terminal import terminal
    from pgcn.predictions.calibration import as_probabilities, calibrated
    from pgcn.predictions.predict import predict
    from pgcn.predictions.table import only_unknown, table_as_csv, table_as_parquet
    from pgcn.predictions.work import fits_squares
    from pgcn.store import Store

    out = output_file(arguments, "out", (".csv", ".parquet"))
    assert out is not None  # it is required
    store, console = Store(), terminal()
    with transfer_progress(terminal(stderr=True)) as fetching:
        how = {"data_dir": arguments.data_dir, "fetching": fetching}
        found = predict(store, arguments.run, graph=arguments.graph, **how)
        squares = fits_squares(store, arguments.run)
        if arguments.calibrate or (arguments.calibrate is None and squares):
            # The temperature is the network's: fitted where it was trained.
            own = found if arguments.graph is None else predict(store, arguments.run, **how)
            own = calibrated(own) if arguments.calibrate else as_probabilities(own, fits_squares=squares)
            found = found.at_temperature(own.temperature)
    table = only_unknown(found.columns()) if arguments.unknown else found.columns()
    write_file(out, table_as_csv(table) if out.suffix == ".csv" else table_as_parquet(table))
    if found.temperature != 1:
        console.print(f"Temperature {found.temperature:.3f}, fitted on validation nodes.")
    unknown = sum(not known for known in table["known"])
    words = f"Wrote {len(table['node']):,} predictions to {out}; the class of {unknown:,} nodes was not known."
    console.print(words, soft_wrap=True)
