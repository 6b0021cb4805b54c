"""Whatever is in a file: a good graph, or an error of ours in words. Nothing is unpickled, nothing stays behind."""

import io
import pickle
import warnings
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import strategies as st
from nasty import CASES, NUMBER_TEXTS, assert_sentence, attack
from written import WRITERS

from pgcn import import_graph
from pgcn.data import load_graph
from pgcn.errors import DataError, PgcnError
from pgcn.graph import build_graph


class Bomb:
    """Unpickled, it would leave a trace."""

    opened = False

    def __reduce__(self):
        return setattr, (Bomb, "opened", True)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A small graph in every format, by file name."""
    base = load_graph("synthetic", nodes=40, classes=3, features=6, average_degree=3.0, seed=3)
    parts = ("features", "edge_index", "y", "train_mask", "val_mask", "test_mask", "class_names")
    graph = build_graph(name="small", **{part: getattr(base, part) for part in parts})
    written = {}
    for form, write in WRITERS.items():
        folder = tmp_path_factory.mktemp("written")
        written[form] = {file.name: file.read_bytes() for file in write(graph, folder)}
    return written


CELLS = st.one_of(
    st.sampled_from(NUMBER_TEXTS),
    st.text(max_size=8),
    st.sampled_from(["1e400", "-1e400", "NaN", "0", "train", "nobody"]),
)
DAMAGES = st.one_of(
    st.tuples(st.just("cut"), st.floats(0, 1)),
    st.tuples(st.just("bytes"), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6)),
    st.tuples(st.just("insert"), st.tuples(st.floats(0, 1), st.binary(max_size=12))),
    st.tuples(st.just("word"), st.tuples(st.integers(0, 400), CELLS)),
    st.tuples(st.just("words"), st.tuples(st.sampled_from(["topic", "label", "id", "1", "0", ","]), CELLS)),
    st.tuples(st.just("lines"), st.tuples(st.integers(0, 60), st.integers(0, 60))),
    st.tuples(st.just("encode"), st.sampled_from(["utf-16", "utf-8-sig", "utf-16-le", "utf-32", "latin-1"])),
    st.tuples(st.just("delimiter"), st.sampled_from([";", "|", "\t", " ", "\0", "\n", "", ",,", '"'])),
    st.tuples(st.just("repeat"), st.integers(2, 3)),
    st.tuples(st.just("only"), st.binary(max_size=60)),
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["median", "zero", "refuse"]),
        "scale": st.sampled_from(["auto", "none", "rows", "standard"]),
        "split": st.sampled_from(
            ["auto", "given", "random:2", "random:99", "fraction:0.3", "known:0.2", "known:2"]
        ),
        "structure": st.sampled_from(["auto", "always", "never"]),
        "weights": st.sampled_from(["use", "ignore"]),
        "dangling": st.sampled_from(["drop", "refuse"]),
        "label": st.sampled_from(["label", "topic", "split", "0", "id"]),
        "text": st.sampled_from(["", "split", "label", "nothing"]),
    },
)


def damaged(data: bytes, kind: str, how) -> bytes:
    """Return the bytes of a file after one kind of damage."""
    text = data.decode("latin-1")
    if kind == "cut":
        return data[: int(how * len(data))]
    if kind == "bytes":
        changed = bytearray(data)
        for place, value in how:
            changed[min(int(place * len(changed)), len(changed) - 1)] = value
        return bytes(changed)
    if kind == "insert":
        at = int(how[0] * len(data))
        return data[:at] + how[1] + data[at:]
    if kind == "word":
        words = text.split(",")
        words[how[0] % len(words)] = how[1]
        return ",".join(words).encode("utf-8", errors="replace")
    if kind == "words":
        return text.replace(*how).encode("utf-8", errors="replace")
    if kind == "lines":
        lines = text.split("\n")
        lines[how[0] % len(lines)] = lines[how[1] % len(lines)]
        return "\n".join(lines).encode("latin-1")
    if kind == "encode":
        return text.encode(how)
    if kind == "delimiter":
        return text.replace(",", how).encode("latin-1")
    return data * how if kind == "repeat" else how


def assert_whole(graph) -> None:
    """A graph that was read is whole, and says what it is."""
    assert np.isfinite(graph.features.data).all() and graph.num_nodes >= 2
    masks = torch.stack([graph.train_mask, graph.val_mask, graph.test_mask])
    assert int(masks.sum(dim=0).max()) <= 1 and bool(graph.train_mask.any()) and bool(graph.val_mask.any())
    assert bool((graph.y[masks.any(dim=0)] >= 0).all())
    assert len(graph.content_id()) == 64


@CASES
def test_a_damaged_file_is_a_good_graph_or_an_error_in_words(cases, files, tmp_path):
    def check(case):
        form, which, damage, settings = case
        names = list(files[form])
        for number, name in enumerate(names):
            data = files[form][name]
            data = damaged(data, *damage) if number == which % len(names) else data
            (tmp_path / name).write_bytes(data)
        before = sorted(tmp_path.iterdir())
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_whole(import_graph(*(tmp_path / name for name in names), **settings))
        except PgcnError as refused:
            assert_sentence(refused)
        assert sorted(tmp_path.iterdir()) == before

    forms = st.sampled_from(list(WRITERS))
    attack(st.tuples(forms, st.integers(0, 1), DAMAGES, SETTINGS), check, cases)


NASTY_ARRAYS = st.sampled_from(
    [
        np.array([], dtype=np.int64),
        np.array(3),
        np.array([np.nan, np.inf, 1e300, -1.0]),
        np.array([2**62, -5, 0, 1]),
        np.array([[0, 1], [1, 10**12]]),
        np.array([[0.5, 1], [1, 0]]),
        np.array(["a", "b", "", "nan"]),
        np.array([b"a", b"\xff"]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.array([1 + 2j]),
        np.zeros((0, 5)),
        np.zeros((40, 0)),
        np.ones((40, 3), dtype=bool),
        np.ones(40, dtype=bool),
        np.arange(40),
        np.full(40, -1),
        np.full(40, np.nan),
        np.zeros((2, 2, 2)),
        np.zeros(3, dtype=[("a", "i4")]),
        np.zeros(40, dtype="U0"),
    ]
)
KEYS = st.sampled_from(
    [f"{matrix}_{part}" for matrix in ("adj", "attr") for part in ("data", "indices", "indptr", "shape")]
    + ["labels", "class_names", "train_mask", "val_mask", "test_mask", "edge_index", "x", "y", "edge_weight"]
    + ["num_nodes", "node_names", "attr_names"]
)


@CASES
def test_an_npz_with_strange_arrays_is_a_good_graph_or_an_error_in_words(cases, files, tmp_path):
    arrays = {
        form: dict(np.load(io.BytesIO(files[form]["graph.npz"])))
        for form in ("npz of sparse parts", "npz of plain arrays")
    }

    def check(case):
        form, changes, left_out = case
        given = {key: value for key, value in (arrays[form] | changes).items() if key not in left_out}
        np.savez(tmp_path / "graph.npz", **given)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_whole(import_graph(tmp_path / "graph.npz"))
        except PgcnError as refused:
            assert_sentence(refused)

    changes = st.dictionaries(KEYS, NASTY_ARRAYS, max_size=3)
    attack(st.tuples(st.sampled_from(list(arrays)), changes, st.sets(KEYS, max_size=1)), check, cases)


def test_no_pickle_is_opened_and_the_error_says_how_to_save_it_again(tmp_path):
    matrix = np.array(sp.eye(4).tocsr(), dtype=object)
    bomb = np.array([Bomb()], dtype=object)
    np.savez(tmp_path / "objects.npz", adj_matrix=matrix, attr_matrix=matrix, labels=bomb, allow_pickle=True)
    with pytest.raises(DataError, match="holds Python objects") as refused:
        import_graph(tmp_path / "objects.npz")
    lines = str(refused.value).splitlines()[1:]
    assert len(lines) == 3 and "allow_pickle=True" in lines[0] and "attr_shape=X.shape" in lines[2]
    (tmp_path / "pickle.pkl").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(DataError, match="is a pickle, which can run code and is never opened"):
        import_graph(tmp_path / "pickle.pkl")
    torch.save({"edge_index": torch.zeros(2, 1), "bomb": Bomb()}, tmp_path / "bomb.pt")
    with pytest.raises(DataError, match="without running code"):
        import_graph(tmp_path / "bomb.pt")
    assert not Bomb.opened


def test_the_three_lines_save_a_file_again_that_is_read(tmp_path, monkeypatch, files):
    (tmp_path / "good.npz").write_bytes(files["npz of sparse parts"]["graph.npz"])
    good = import_graph(tmp_path / "good.npz", split="random:2")
    adjacency = sp.csr_matrix((np.ones(good.edge_index.shape[1]), good.edge_index.numpy()), [good.num_nodes] * 2)
    objects = {"adj_matrix": adjacency, "attr_matrix": sp.csr_matrix(good.features)}
    boxes = {}
    for key, value in objects.items():
        boxes[key] = np.empty((), dtype=object)
        boxes[key][()] = value
    np.savez(tmp_path / "old.npz", labels=good.y.numpy(), **boxes)
    with pytest.raises(DataError) as refused:
        import_graph(tmp_path / "old.npz")
    monkeypatch.chdir(tmp_path)
    exec("\n".join(line.strip() for line in str(refused.value).splitlines()[1:]), {})
    again = import_graph(tmp_path / "again.npz", split="random:2")
    assert torch.equal(again.edge_index, good.edge_index) and torch.equal(again.y, good.y)
    assert np.array_equal(again.features.toarray(), good.features.toarray())


def test_bombs_are_refused_before_they_are_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("adj_data.npy", bytes(50_000_000))
    with pytest.raises(DataError, match=r"unpacks to 0\.1 GB; up to 0\.01 GB"):
        import_graph(tmp_path / "bomb.npz", most_gigabytes=0.01)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(tmp_path / "promise.npz", "w") as archive:
        archive.writestr("adj_data.npy", header.getvalue())
    with pytest.raises(DataError, match="promises 8,000,000,000,000 bytes"):
        import_graph(tmp_path / "promise.npz")
    entities = '<!DOCTYPE g [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><graphml>&b;</graphml>'
    for encoding in ("utf-8", "utf-16"):
        (tmp_path / "bomb.graphml").write_bytes(entities.encode(encoding))
        with pytest.raises(DataError, match="declares a document type or entities"):
            import_graph(tmp_path / "bomb.graphml")
    (tmp_path / "bomb.mtx").write_text("%%MatrixMarket matrix coordinate real general\n9 9 999999999999\n1 1 1\n")
    with pytest.raises(DataError, match="promises 999,999,999,999 entries"):
        import_graph(tmp_path / "bomb.mtx")
    (tmp_path / "large.csv").write_bytes(b"a,b\n" * 5000)
    with pytest.raises(DataError, match=r"files up to 0\.0 GB are read"):
        import_graph(tmp_path / "large.csv", most_gigabytes=1e-6)
    repeated = {"edge_index": torch.zeros(2, 1, dtype=torch.int64), "x": torch.zeros(1).expand(10**9, 1)}
    torch.save(repeated, tmp_path / "repeat.pt")
    with pytest.raises(DataError, match="x is an expanded view"):
        import_graph(tmp_path / "repeat.pt")
