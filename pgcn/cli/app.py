"""``pgcn app``: the dashboard, from a checkout or from an installed package."""

import argparse
import subprocess
import sys

from pgcn.cli.options import Commands, whole_number
from pgcn.errors import ConfigError
from pgcn.execution.limits import Limits
from pgcn.places import dashboard_folder


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("app", help="start the dashboard and open it in a browser")
    command.add_argument("--port", type=whole_number, metavar="N", help="port to listen on (default: 8501)")
    command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    command.set_defaults(action=start_dashboard)


def start_dashboard(arguments: argparse.Namespace) -> None:
    """Start the dashboard and wait until it ends."""
    Limits.from_environment()  # one that cannot be read is said at once
    folder = dashboard_folder()
    if not (folder / "app.py").is_file():
        raise ConfigError(f"The dashboard is not at {folder}. Install pgcn again, or run it from a checkout.")
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    if arguments.port is not None:
        if not 1 <= arguments.port <= 65535:
            raise ConfigError(f"--port must be from 1 to 65535, got {arguments.port}.")
        command += ["--server.port", str(arguments.port)]
    if arguments.no_browser:
        command += ["--server.headless", "true"]
    ended = subprocess.run(command, cwd=folder, check=False)  # streamlit reads its settings from there
    if ended.returncode:
        raise ConfigError(f"The dashboard ended with code {ended.returncode}; its message is above.")
