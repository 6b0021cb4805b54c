"""A wheel holds the dashboard too: installed elsewhere, 'pgcn app' opens it from any folder."""

import os
import socket
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from tools import ROOT, wait_until


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A fresh environment with the wheel in it; the packages it needs are those of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(build, check=True)
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.check_output(command, text=True).strip()
    (wheel,) = folder.glob("pgcn-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", site, str(wheel)], check=True)
    (Path(site) / "needs.pth").write_text(sysconfig.get_path("purelib"))
    return python


@pytest.mark.slow
def test_an_installed_package_brings_its_own_dashboard(installed, tmp_path, tabs):
    probe = "import pgcn, pgcn.recorded as r; print(pgcn.__file__); print(r.recorded_events()[-1].topology)"
    answer = subprocess.check_output([installed, "-c", probe], cwd=tmp_path, text=True).splitlines()
    assert str(installed.parent.parent) in answer[0] and answer[1] == "(20, 15)"
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    env = os.environ | {"PGCN_STORE": f"sqlite:///{tmp_path / 'runs.db'}"}
    command = [installed, "-m", "pgcn", "app", "--port", str(port), "--no-browser"]
    with (tmp_path / "log").open("w") as log:
        app = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_until(lambda: answers(port), 60)
        page = tabs(f"http://localhost:{port}")
        page.locator(".pgcn .network").first.wait_for(state="attached")
        page.get_by_role("link", name="Difficulty", exact=True).click()
        page.locator(".st-key-study_chart .points path").first.wait_for(state="attached")
    finally:
        tabs.close()  # a browser complains when its server is gone
        os.killpg(app.pid, 9)
        app.wait()


def answers(port):
    with socket.socket() as caller:
        return caller.connect_ex(("localhost", port)) == 0
