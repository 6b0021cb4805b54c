"""``pgcn app``: the dashboard, from a checkout or from an installed package."""

import argparse
import subprocess
import sys

from pgcn.errors import ConfigError
from pgcn.places import dashboard_folder


def app_command(arguments: argparse.Namespace) -> None:
    """Start the dashboard and wait until it ends."""
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
    ended = subprocess.run(command, cwd=folder, check=False)  # there its own settings are found
    if ended.returncode:
        raise ConfigError(f"The dashboard ended with code {ended.returncode}; its message stands above.")
