"""A graph of one's own: what people have is read, what was changed is said, the rest is refused in words."""

import json

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import torch

from pgcn import Graph, import_graph, known_split, load_graph
from pgcn.cli import main
from pgcn.data.importers.preview import preview
from pgcn.data.importers.scale import scaled_features
from pgcn.data.importers.structural import structural_features
from pgcn.errors import ConfigError, DataError, GraphError, PgcnError
from pgcn.graph import graph_from_bytes
from pgcn.predictions.predict import check_features
from pgcn.store import Store
from pgcn.views.data_page import preview_table

PEOPLE = """id,topic,age,city,bio
ann,art,30,Rome,she paints large pictures of the sea
bob,art,,Rome,he paints small pictures of the hills
cal,math,50,Oslo,he proves theorems about large primes
dee,math,40,Oslo,she proves theorems about small graphs
eve,,20,Rome,she paints and proves and sings
fay,art,60,Oslo,she paints pictures of primes
gus,math,70,Rome,he proves theorems of the sea
"""
FRIENDS = """source,target,weight
ann,bob,2
bob,ann,4
cal,dee,1
dee,dee,1
eve,ann,1
fay,zoe,1
fay,bob,1
gus,cal,1
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "friends.csv").write_text(FRIENDS, encoding="utf-8")
    return tmp_path / "people.csv", tmp_path / "friends.csv"


def test_two_tables_are_a_graph_with_its_own_names(files):
    graph = import_graph(*files, label="topic")
    assert graph.node_names[0] == "ann" and graph.class_names == ("art", "math")
    assert graph.y.tolist() == [0, 0, 1, 1, -1, 0, 1] and not bool(graph.test_mask.any())
    assert graph.num_edges == 5 and graph.edge_weight is not None
    assert graph.feature_names[:3] == ("age", "city=Oslo", "city=Rome") and "paints" in graph.feature_names
    for words in (
        "Dropped edges: 1 of 8 edges to a node that is not there, the first is ['fay', 'zoe']",
        "Missing numbers became the median of their column: 1 in 'age'",
        "Column 'city' became 2 categories",
        "The text of 'bio' became TF-IDF features",
        "2 classes with fewer than 5 known nodes: art (3), math (3)",
        "The class of 1 of 7 nodes is not known",
        "Dropped 1 self-loop",
        "1 edge with another weight",
    ):
        assert any(words in note for note in graph.notes), words


def test_the_order_of_files_and_their_names_do_not_matter(files, tmp_path):
    first = import_graph(*files, label="topic")
    renamed = [file.rename(tmp_path / f"{number}.data") for number, file in enumerate(files)]
    assert import_graph(*reversed(renamed), label="topic").content_id() == first.content_id()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"label": "topik"}, "No column named 'topik'. Choose one of: 'id', 'topic', 'age'"),
        ({"missing": "refuse"}, r"people\.csv, line 3, column 'age': the number is missing"),
        (
            {"dangling": "refuse"},
            r"1 of 8 edge.* the first is \['fay', 'zoe'\]\. Node ids look like 'ann'\. Add",
        ),
        ({"split": "random:9"}, "needs as many in each class, but class 0 has 3"),
        ({"split": "given"}, "No split is given with the graph"),
        ({"split": "some"}, "split must be auto, given, random:20"),
        ({"text": "biography"}, "No column named 'biography'"),
        ({"ignore": "topics"}, "No column named 'topics'"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_place(files, settings, message):
    with pytest.raises(PgcnError, match=message):
        import_graph(*files, **settings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dee,math,40,Oslo,", "dee,math,Oslo,", r"people\.csv, line 5: expected 5 columns, got 4"),
        ("dee,math,40", "ann,math,40", r"line 5: the id 'ann' is already at people\.csv, line 2; 1 row"),
        ("dee,math,40", ",math,40", r"people\.csv, line 5: the id is missing"),
        ("dee,math,40", "dee,math,1e400", r"people\.csv, line 5, column 'age': inf is not a finite number"),
        ("id,topic,age", "id,topic,id", "two columns named 'id'"),
        ("id,topic,age", "id,theme,age", "no column is called label.* it has 'id', 'theme', 'age'"),
    ],
)
def test_a_mistake_in_the_table_is_named_by_its_line(files, old, new, message):
    files[0].write_text(PEOPLE.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        import_graph(*files)


NUMBERED = "id,label,size,note\n" + "".join(f'{n},{"ab"[n % 2]},{n},"two\nlines"\n' for n in range(20)) + "\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("7,b,7,", "7,b,seven,", r"nodes\.csv, line 16, column 'size': expected a number .* got 'seven'"),
        ("7,b,7,", "7,b,", r"nodes\.csv, line 16: expected 4 columns, got 3"),
        ("7,b,7,", "7,b,1e999,", r"nodes\.csv, line 16, column 'size': inf is not a finite number"),
        ("7,b,7,", "7,\xfc,7,", r"nodes\.csv, line 16, column 'label' is not UTF-8"),
    ],
)
def test_the_line_that_is_named_is_that_of_the_file_also_where_cells_have_several(tmp_path, old, new, message):
    table = NUMBERED.replace("13,b", "\n13,b").replace(f"\n{old}", f"\n{new}")
    (tmp_path / "nodes.csv").write_bytes(table.encode("latin-1"))
    with pytest.raises(DataError, match=message):
        import_graph(tmp_path / "nodes.csv")


def test_numbers_with_a_decimal_comma_are_refused_and_a_few_words_among_numbers_can_be_categories(tmp_path):
    comma = "id;label;size\n" + "\n".join(f"{n};{'ab'[n % 2]};{n},5" for n in range(20))
    (tmp_path / "nodes.csv").write_text(comma, encoding="utf-8")
    with pytest.raises(
        DataError, match=r"Column 'size' holds numbers with a comma \(0,5\)\. Write them with a point"
    ):
        import_graph(tmp_path / "nodes.csv")
    stars = "id,label,stars\n" + "\n".join(f"{n},{'ab'[n % 2]},{n % 5 if n else 'none given'}" for n in range(20))
    (tmp_path / "nodes.csv").write_text(stars, encoding="utf-8")
    assert "stars=none given" in import_graph(tmp_path / "nodes.csv", categories="stars").feature_names


def test_dates_are_refused_with_a_hint(files):
    text = PEOPLE.replace("id,", "born,id,", 1).splitlines()
    lines = [text[0], *(f"2001-02-{number:02},{line}" for number, line in enumerate(text[1:], start=1))]
    files[0].write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match=r"Column 'born' holds dates \(2001-02-01\)\. Make a number of them"):
        import_graph(*files, label="topic")
    assert "born" not in import_graph(*files, label="topic", ignore="born").feature_names


@pytest.mark.parametrize(("encoding", "message"), [("rot13", "No encoding"), ("utf-16", "is not UTF-16")])
def test_an_encoding_that_the_file_does_not_have_is_told_in_words(files, encoding, message):
    with pytest.raises(DataError, match=message):
        import_graph(*files, label="topic", encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_mark_at_the_beginning_says_the_encoding(files, encoding):
    first = import_graph(*files, label="topic")
    files[0].write_text(PEOPLE, encoding=encoding)
    assert import_graph(*files, label="topic").content_id() == first.content_id()
    files[0].write_bytes(PEOPLE.replace("Rome", "Zürich").encode("latin-1"))
    with pytest.raises(DataError, match=r"people\.csv, line 2, column .city. is not UTF-8\. Save"):
        import_graph(*files, label="topic")
    assert "city=Zürich" in import_graph(*files, label="topic", encoding="latin-1").feature_names


def test_a_node_may_be_called_na_and_what_an_error_quotes_controls_no_terminal(files):
    files[0].write_text(PEOPLE.replace("ann,", "NA,"), encoding="utf-8")
    files[1].write_text(FRIENDS.replace("ann", "NA"), encoding="utf-8")
    assert import_graph(*files).node_names[0] == "NA"
    files[0].write_text(PEOPLE.replace("ann,art,", "ann,\x1b[31m"), encoding="utf-8")
    with pytest.raises(DataError, match="line 2: expected 5 columns, got 4") as refused:
        import_graph(*files)
    assert "\x1b" not in str(refused.value)


def test_weights_are_used_or_ignored_by_choice(files):
    assert import_graph(*files, label="topic", weights="ignore").edge_weight is None
    files[1].write_text(FRIENDS.replace("cal,dee,1", "cal,dee,-1"), encoding="utf-8")
    with pytest.raises(DataError, match=r"friends\.csv, line 4, column 'weight': a weight must be above 0, got -1"):
        import_graph(*files, label="topic")

    files[1].write_text(
        FRIENDS.replace("cal,dee,1", "cal,dee,heavy").replace("weight", "weight,since"), encoding="utf-8"
    )
    files[1].write_text(files[1].read_text().replace("\n", ",1\n").replace("since,1", "since"), encoding="utf-8")
    with pytest.raises(DataError, match=r"line 4, column 'weight': weights must be numbers above 0, got 'heavy'"):
        import_graph(*files, label="topic")
    files[1].write_text(files[1].read_text().replace("heavy", "3"), encoding="utf-8")
    assert "Columns of friends.csv that are not used: 'since'." in import_graph(*files, label="topic").notes


def test_what_an_npz_holds_is_used_or_named(tmp_path):
    edges, features = sp.random_array((30, 30), density=0.1, rng=np.random.default_rng(0), format="csr"), np.eye(30)
    parts = {f"attr_matrix.{part}": getattr(sp.csr_array(features), part) for part in ("data", "indices", "indptr")}
    parts |= {f"adj_matrix.{part}": getattr(edges, part) for part in ("data", "indices", "indptr", "shape")}
    labels = np.arange(30) % 3
    np.savez(tmp_path / "a.npz", labels=labels, years=labels, **parts, **{"attr_matrix.shape": features.shape})
    graph = import_graph(tmp_path / "a.npz", scale="none")
    assert np.array_equal(graph.x.numpy(), features) and "Not used: 'years'." in graph.notes
    sp.save_npz(tmp_path / "b.npz", edges)
    rows = "".join(f"{node},{label}\n" for node, label in enumerate(labels))
    (tmp_path / "nodes.csv").write_text(f"id,label\n{rows}", encoding="utf-8")
    assert torch.equal(import_graph(tmp_path / "b.npz", tmp_path / "nodes.csv").edge_index, graph.edge_index)


def test_an_edge_list_and_labels_alone_get_structural_features(tmp_path):
    ring = [(node, (node + 1) % 30) for node in range(30)]
    edges = "# a ring\n" + "\n".join(f"{source}\t{target}" for source, target in ring)
    (tmp_path / "ring.txt").write_text(edges, encoding="utf-8")
    with pytest.raises(DataError, match=r"ring has no labels\. Give a table of nodes"):
        import_graph(tmp_path / "ring.txt")
    labels = "id,label\n" + "\n".join(f"{node},{node // 15}" for node in range(30))
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    with pytest.raises(DataError, match="labels has neither edges nor features"):
        import_graph(tmp_path / "labels.csv")
    (tmp_path / "spaces.txt").write_text(edges.replace("\t", "   "), encoding="utf-8")
    with pytest.raises(DataError, match=r"spaces\.txt, line 2: put exactly one space"):
        import_graph(tmp_path / "spaces.txt", tmp_path / "labels.csv")
    graph = import_graph(tmp_path / "ring.txt", tmp_path / "labels.csv")
    assert graph.num_edges == 30 and graph.feature_names[0] == "log degree" and graph.class_names == ("0", "1")
    assert any(note.startswith("Structural features were computed from the edges") for note in graph.notes)


@pytest.mark.parametrize("form", ["graphml", "gexf", "json"])
def test_the_attributes_in_a_document_are_columns_to_choose_from(form, tmp_path):
    graph = nx.Graph([(f"n{node}", f"n{node + 1}") for node in range(7)])
    for node in graph:
        graph.nodes[node].update(team="red" if node < "n4" else "blue", note=f"a few words on {node}")
        graph.add_edge(node, "n0", since=1999)
    file = tmp_path / "graph"
    if form == "json":
        file.write_text(json.dumps(nx.node_link_data(graph, edges="links")), encoding="utf-8")
    else:
        {"graphml": nx.write_graphml_xml, "gexf": nx.write_gexf}[form](graph, file)
    found = preview(file)
    assert found["role"] == "graph" and found["columns"] == ["id", "team", "note"] and len(found["rows"]) == 6
    assert found["kinds"] == {"team": "category", "note": "text"} and found["guess"] == {"id": "id"}
    assert preview_table(found, {"label": "team", "ignore": "note"})["badges"] == ["id", "class", "left out"]
    read = import_graph(file, label="team", ignore="note")
    assert read.class_names == ("blue", "red") and "Attributes of edges that are not used: 'since'." in read.notes


def test_a_header_is_told_from_a_first_row(tmp_path):
    people, pairs = tmp_path / "people.csv", tmp_path / "pairs.csv"
    people.write_text("id,label\nann,art\nbob,math\ncal,art\ndee,math\n", encoding="utf-8")
    pairs.write_text("ann,bob\ncal,dee\n", encoding="utf-8")
    assert import_graph(people, pairs, split="known:0.5").num_edges == 2
    people.write_text("who,theme\nann,art\nbob,math\ncal,art\ndee,math\n", encoding="utf-8")
    graph = import_graph(people, pairs, split="known:0.5", label="theme")
    assert graph.num_edges == 2 and graph.node_names == ("ann", "bob", "cal", "dee")


def test_a_column_that_is_ignored_means_nothing(files):
    rows = PEOPLE.splitlines()
    files[0].write_text("\n".join([f"{rows[0]},split", *(f"{row},half" for row in rows[1:])]), encoding="utf-8")
    with pytest.raises(DataError, match=r"line 2, column 'split': expected train, val, test .* got 'half'"):
        import_graph(*files)
    assert import_graph(*files, ignore="split").split.startswith("all known labels")


def test_structural_features_are_what_they_are_called():
    triangle_and_tail = np.array([[0, 1, 2, 2], [1, 2, 0, 3]])
    features, names, _ = structural_features(triangle_and_tail, 5, seed=0)
    found = dict(zip(names, features.toarray().T, strict=True))
    raw = {"log degree": np.log1p([2, 2, 3, 1, 0]), "clustering": np.array([1, 1, 1 / 3, 0, 0])}
    for name, values in raw.items():
        np.testing.assert_allclose(found[name], (values - values.mean()) / values.std(), atol=1e-5)
    again, _, _ = structural_features(triangle_and_tail, 5, seed=0)
    assert np.array_equal(again.toarray(), features.toarray())


def test_counts_are_scaled_by_row_and_other_numbers_standardised():
    counts = sp.csr_array(np.array([[0, 3, 0, 0], [0, 0, 0, 0], [1, 0, 0, 3.0]]))
    by_row, _ = scaled_features(counts, "auto")
    np.testing.assert_allclose(by_row.toarray(), [[0, 1, 0, 0], [0, 0, 0, 0], [0.25, 0, 0, 0.75]])
    unchanged, note = scaled_features(by_row, "auto")
    assert np.array_equal(unchanged.toarray(), by_row.toarray()) and note == ""
    numbers = np.random.default_rng(0).normal(5, 3, (200, 3))
    standard, _ = scaled_features(numbers, "auto")
    np.testing.assert_allclose(standard.toarray().mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(standard.toarray().std(axis=0), 1, atol=1e-5)
    wide = sp.random_array((500, 400), density=0.01, rng=np.random.default_rng(0), format="csr")
    assert scaled_features(wide, "standard")[0].nnz == wide.nnz  # what is sparse stays sparse


@pytest.mark.parametrize("column", ["split", "train_mask,val_mask,test_mask"])
def test_a_split_in_the_table_is_taken(files, column):
    words = ["train", "val", "train", "val", "", "test", "test"]
    rows = PEOPLE.splitlines()
    if column == "split":
        cells = words
    else:
        cells = [",".join(str(int(word == part)) for part in ("train", "val", "test")) for word in words]
    table = [f"{row},{cell}" for row, cell in zip(rows, [column, *cells], strict=True)]
    files[0].write_text("\n".join(table), encoding="utf-8")
    graph = import_graph(*files, label="topic")
    assert graph.split == "given" and graph.train_mask.nonzero().ravel().tolist() == [0, 2]
    assert graph.val_mask.nonzero().ravel().tolist() == [1, 3]
    assert graph.test_mask.nonzero().ravel().tolist() == [5, 6]
    assert not any("mask" in name or "split" in name for name in graph.feature_names)


def test_all_known_labels_but_a_share_are_training():
    y = np.array([0] * 10 + [1] * 5 + [2] + [-1] * 4)
    train, val, test = known_split(y, 0.2, seed=1)
    assert [int((torch.tensor(y) == c)[val].sum()) for c in range(3)] == [2, 1, 0]
    assert bool((train | val).equal(torch.tensor(y >= 0))) and not bool(test.any())
    with pytest.raises(ConfigError, match="No class has two known nodes"):
        known_split([0, 1, -1])


@pytest.mark.parametrize("labels", [[0, 1, -1, 1], [0, 1, np.nan, 1], ["a", "b", None, "b"], ["a", "b", "", "b"]])
def test_labels_that_are_not_known_are_written_in_many_ways(labels):
    graph = Graph.from_scipy(sp.eye_array(4, k=1), np.eye(4), np.array(labels), split="known:0.5")
    assert graph.y.tolist() == [0, 1, -1, 1]


def test_numbers_that_are_no_classes_are_refused():
    with pytest.raises(DataError, match="The labels have 30 different values for 30 nodes"):
        Graph.from_scipy(sp.eye_array(30, k=1), None, np.linspace(0, 1, 30))
    with pytest.raises(DataError, match="No node has a label"):
        Graph.from_scipy(sp.eye_array(4, k=1), None, [None] * 4)
    with pytest.raises(GraphError, match="a row and a column for each"):
        Graph.from_scipy(sp.csr_array((3, 4)), None, [0, 1, 0])


def test_data_frames_keep_their_index_as_ids():
    nodes = pd.DataFrame({"label": ["x", "y"] * 4, "size": range(8)}, index=[f"n{k}" for k in range(8)])
    edges = pd.DataFrame({"from": ["n0", "n1"], "to": ["n2", "n3"]})
    graph = Graph.from_pandas(nodes, edges)
    assert graph.node_names[:2] == ("n0", "n1") and graph.num_edges == 2
    with pytest.raises(ConfigError, match="No setting named 'lable'"):
        Graph.from_pandas(nodes, edges, lable="label")


def test_a_newer_version_of_a_graph_gets_the_features_of_the_first_where_that_is_asked_for(files):
    first = import_graph(*files, label="topic", name="club")
    people, friends = (file.read_text(encoding="utf-8") for file in files)
    files[0].write_text(people + "hal,,90,Paris,he sings of graphs and bridges\n", encoding="utf-8")
    files[1].write_text(friends + "hal,ann,1\n", encoding="utf-8")
    alone = import_graph(*files, label="topic", name="newer")
    with pytest.raises(GraphError, match=r"but the network was trained on|are not those of club"):
        check_features(alone, first)
    newer = import_graph(*files, label="topic", name="newer", like=first)
    check_features(newer, first)
    assert newer.feature_names == first.feature_names and np.array_equal(newer.x[:7].numpy(), first.x.numpy())
    assert "Column 'city' became 2 categories; 1 are none of them." in newer.notes
    again = graph_from_bytes(newer.to_bytes())
    assert again.fitted == first.fitted and again.content_id() == newer.content_id()
    numbers = [import_graph(*files, use="age", ignore="city,bio", label="topic", name=name) for name in "ab"]
    check_features(*numbers)
    files[0].write_text(people + "hal,,900,Oslo,he sings\n", encoding="utf-8")
    other = import_graph(*files, use="age", ignore="city,bio", label="topic", name="c")
    with pytest.raises(GraphError, match=r"made from its own values or edges.* Add it again with --like a"):
        check_features(other, numbers[0])
    with pytest.raises(DataError, match="How the features of karate were made is not known"):
        import_graph(*files, label="topic", like=load_graph("karate"))
    files[0].write_text(people.replace(",age", ",years"), encoding="utf-8")
    with pytest.raises(DataError, match=r"No column named 'age'.* The other graph has features made from it"):
        import_graph(*files, label="topic", like=first)
    files[0].write_text(people, encoding="utf-8")
    files[1].write_text(friends + "eve,fay,1\n", encoding="utf-8")
    edges_alone = {"label": "topic", "ignore": "age,city,bio"}
    first = import_graph(*files, **edges_alone)
    files[1].write_text(friends, encoding="utf-8")
    with pytest.raises(DataError, match="Structural features come from a graph's own edges"):
        import_graph(*files, **edges_alone, like=first)


HOSTILE = "<script>alert(1)</script>[bold]\x1b[31m"


def test_the_command_line_adds_shows_grows_and_removes(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    files[0].write_text(PEOPLE.replace("math", HOSTILE), encoding="utf-8")
    add = ["data", "add", "club", "--nodes", str(files[0]), "--edges", str(files[1]), "--label", "topic"]
    assert main([*add, "--text", "bio"]) == 0
    out = capsys.readouterr().out
    assert "club: 7 nodes, 5 edges with weights" in out and "Next: pgcn grow --dataset club" in out
    assert "<script>alert(1)</script>[bold]\\x1b[31m (3)" in out and "\x1b[31m" not in out
    assert main(["data", "add", "again", *add[3:], "--text", "bio"]) == 0
    assert "The same graph is there already: club" in capsys.readouterr().out
    store = Store()
    assert list(store.stored_graphs()) == ["club"]
    store.close()
    assert main(["data", "show", "club"]) == 0
    assert "- Dropped edges: 1 of 8" in capsys.readouterr().out
    assert main(["grow", "--dataset", "club", "--set", "epochs=2", "max_layers=1", "max_width=5"]) == 0
    assert main(["data", "rm", "club"]) == 0
    capsys.readouterr()
    assert main(["data", "show", "club"]) == main(["data", "rm", "club"]) == main(["data", "rm", "cora"]) == 2
    assert "No data set named 'club'" in (errors := capsys.readouterr().err) and "comes with the program" in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mine"], "Name the files of a graph"),
        (["mine", "nowhere.csv"], "'nowhere.csv' cannot be read: No such file"),
        (["mine", "--pyg", "Amazonas:Photo"], "PyG has no data set class named 'Amazonas'"),
        (["mine", "x.csv", "--scale", "big"], "scale must be one of: auto, none, rows, standard"),
    ],
)
def test_the_command_line_says_what_is_missing(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    assert main(["data", "add", *arguments]) == 2
    assert message in capsys.readouterr().err
