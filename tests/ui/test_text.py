"""What comes from a link, a file or the store is shown to the letter: nothing on a page comes to life by a name."""

import ast
import json
import re
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hostile import NAMES
from tools import Server
from visitor import Visitor

from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store
from pgcn.ui.arena.question import JOBS, VIEWS
from pgcn.ui.arena.question import NAMES as ARENA
from pgcn.ui.difficulty.question import READERS
from pgcn.ui.embedding.session import IN_THE_BROWSER, SETTINGS
from pgcn.ui.grow.session import BACK, SHOWN
from pgcn.ui.grow.settings import Settings
from pgcn.ui.landscape.question import READERS as LANDSCAPE
from pgcn.ui.links import NAMED
from pgcn.ui.text import JOINER, plain
from pgcn.views.compare import comparison_figure
from pgcn.views.pages import plotly_text, script_values, web_page
from pgcn.views.replay import replay, replay_page

UI = Path(__file__).parents[2] / "pgcn" / "ui"
PARAMETERS = {
    "": (*Settings.OWN, *Settings.GROWTH, *SHOWN, BACK, "at"),
    "embedding": (*SETTINGS, *IN_THE_BROWSER, "run", "job"),
    "arena": (*ARENA, *JOBS),
    "difficulty": (*READERS, "job", "dropout"),
    "landscape": (*LANDSCAPE, "job", "dropout"),
    "runs": ("run", "runs"),
    "data": ("dataset",),
    "predictions": ("run", "job", "grown", "view", "node", "scaled"),
    "learn": ("stop", "break", "graph", "at", "node", "rule"),
}
"""What a link to each page can hold."""


@pytest.mark.parametrize("name", NAMES)
def test_escapes_are_resolved_to_the_very_text(name):
    shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(name))  # as Markdown does
    assert shown.replace(JOINER, "") == " ".join(name.split())
    assert "://" not in shown and "www." not in shown and not re.search(r"\w@\w", shown)


def test_ordinary_names_stay_readable():
    for name in ("Cora, seed 3", "20 networks", "my graph (2)", "75.6 ± 1.5 %", "a = b, c + d - e!"):
        assert plain(name) == name
    assert plain("two\n\n  lines") == "two lines" and plain("") == ""


def bodies(elements):
    """Return every text of a page that Streamlit reads as Markdown."""
    for element in elements:
        kind = element.WhichOneof("type")
        shown = getattr(element, kind)
        if kind in ("code", "component", "bidi_component", "text", "html"):
            continue
        plain_text = kind in ("selectbox", "multiselect", "text_input", "arrow_data_frame", "json")
        for field in ("label", "help") if plain_text else ("body", "text", "label", "help", "delta"):
            if isinstance(value := getattr(shown, field, None), str):
                yield value
        for option in () if plain_text else getattr(shown, "options", ()):
            yield getattr(option, "content", option)


def alive(visitor, name):
    """Return the texts in which a name was left as it is, although it would mean something to Markdown or HTML."""
    elements = visitor.elements.values()
    pages = [element.html.body for element in elements if element.WhichOneof("type") == "html"]
    tags = [page for page in pages if escape(name) != name and name in page]
    harmless = plain(f"A '{name}'") == f"A '{name}'"
    found = re.compile(r"(?<!\\)" + re.escape(name)).search
    return tags if harmless else [*tags, *(body for body in bodies(elements) if found(body))]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, small_graph):
    """A server whose store holds runs and graphs with names of the kind."""
    with Server(tmp_path_factory.mktemp("hostile"), PGCN_READ_ONLY="1") as server:
        store = Store(server.store)
        config = growth_preset(epochs=2, max_layers=1, max_width=5)
        server.runs = []
        for name in NAMES:
            source = store.add_graph(small_graph, name=name)
            work = execute([RunSpec(method="pgcn", config=config, source=source)], store)
            work.finish()
            server.runs.append(work.recorders[0].run)
            store.change(server.runs[-1], name=name, note=name)
            store.remove_graph(name)  # the same content under one name at a time
        store.add_graph(small_graph, name=NAMES[0])
        store.close()
        yield server


def links(parameters, every):
    """Yield queries: unknown parameters with hostile names, and what is known with hostile values.

    ``every`` value is given to every parameter, or each of them every third.
    """
    for first in range(0, len(NAMES), NAMED):  # more would not be named
        yield {name: name for name in NAMES[first : first + NAMED]}
    for first in range(0, len(NAMES), 1 if every else 3):
        yield {name: NAMES[(first + place) % len(NAMES)] for place, name in enumerate(parameters)}


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_no_link_brings_anything_to_life(hostile, every):
    with Visitor(hostile) as visitor:
        for page, parameters in PARAMETERS.items():
            for query in links(parameters, every):
                visitor.open(page, urlencode(query))
                assert not [name for name in query.values() if alive(visitor, name)], (page, query)
                assert "Traceback" not in visitor.words()


def test_no_stored_name_brings_anything_to_life(hostile):
    with Visitor(hostile) as visitor:
        for run, name in zip(hostile.runs, NAMES, strict=True):
            for page in ("runs", "", "embedding", "predictions"):
                visitor.open(page, f"run={run}")
                assert not alive(visitor, name), page
            visitor.open("difficulty", "datasets=" + NAMES[0])
        for view in VIEWS:
            visitor.open("arena", urlencode({"dataset": NAMES[0], "view": view}))
            assert not alive(visitor, NAMES[0]), view
        visitor.open("data", urlencode({"dataset": NAMES[0]}))
        assert not alive(visitor, NAMES[0])
    assert "Traceback" not in hostile.log.read_text()


@pytest.mark.parametrize("name", NAMES)
def test_scripts_of_exports_hold_names_to_the_letter(name):
    text = script_values({"name": f"{name}\u2028\u2029"})
    assert not set("<>&\u2028\u2029") & set(text) and json.loads(text)["name"] == f"{name}\u2028\u2029"
    page = web_page(name, style="", body=f"<script>{text}</script>")
    assert page.count("<script>") == page.count("</script>") == 1 and "<!--" not in page


def test_plotly_is_given_names_to_the_letter(hostile):
    store = Store(hostile.store)
    events = {name: store.events(run) for run, name in zip(hostile.runs, NAMES, strict=True)}
    figure = comparison_figure(events, "parameters")
    for trace, name in zip(figure["data"], NAMES, strict=True):
        assert trace["name"] == plotly_text(name) and not set("<>") & set(trace["name"])
        assert trace["hovertemplate"] == figure["data"][0]["hovertemplate"]  # no name in it
    for name in NAMES:
        assert "<!--" not in replay_page(replay(events[name], name=name)).split("</head>")[1]
    store.close()


def test_no_script_writes_html():
    web = UI.parent / "web"
    wrong = [
        path.name
        for path in web.rglob("*.js")
        if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text())
    ]
    assert not wrong


SHOWS = re.compile(
    "markdown|caption|info|warning|error|success|toast|write|button|progress|expander|metric|popover|pills|toggle|"
    "select_slider|segmented_control|form_submit_button|download_button|header|subheader|title"
)
"""Streamlit's functions that read text as Markdown."""
OUTSIDE = {"run_name", "ending_sentence", "dataset_title", "method_title"}
"""Functions whose text is somebody's, and what is called so of runs, graphs, errors and jobs."""
FIELDS = {"dataset", "name", "note", "reason", "split", "error", "doing", "problems"}
ESCAPED = {"plain", "plain_title", "dataset_facts"}


def taints(node, tainted):
    """Yield the parts of an expression that bring text from outside unescaped."""
    if isinstance(node, ast.Call):
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called in ESCAPED:
            return
        if called in OUTSIDE or (called == "str" and getattr(node.args[0], "id", "") == "error"):
            yield node
    if isinstance(node, ast.Compare | ast.Lambda):
        return
    if isinstance(node, ast.IfExp):  # what is only asked about is not shown
        yield from taints(node.body, tainted)
        yield from taints(node.orelse, tainted)
        return
    if isinstance(node, ast.Attribute) and node.attr in FIELDS:
        yield node
    if isinstance(node, ast.Name) and node.id in tainted | OUTSIDE:
        yield node
    for child in ast.iter_child_nodes(node):
        yield from taints(child, tainted)


SILENT = {
    "key",
    "icon",
    "on_click",
    "on_change",
    "args",
    "kwargs",
    "value",
    "type",
    "disabled",
    "default",
    "file_name",
}


def unescaped(path):
    """Yield the calls of a file that show text from outside as Markdown."""
    for function in ast.walk(ast.parse(path.read_text())):
        if not isinstance(function, ast.FunctionDef):
            continue
        tainted = {
            target.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and any(taints(node.value, set()))
            for target in node.targets
            if isinstance(target, ast.Name) and isinstance(node.value, ast.JoinedStr | ast.Call)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and SHOWS.fullmatch(getattr(node.func, "attr", "")):
                shown = [*node.args[:1], *(word.value for word in node.keywords if word.arg not in SILENT)]
                if any(True for part in shown for _ in taints(part, tainted)):
                    yield f"{path.name}:{node.lineno}: {ast.unparse(node)[:100]}"


def test_every_page_escapes_what_it_shows(tmp_path):
    found = [line for path in UI.rglob("*.py") for line in unescaped(path)]
    assert not found, "\n".join(found)
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "def show(run, job):\n    name = f'{run_name(run)}!'\n    st.markdown(f'**{name}**')\n"
        "    st.error(job.error)\n    st.info(f'{plain(run.name)}')\n"
        "    st.pills('x', [], format_func=dataset_title)\n"
    )
    assert [line.split(":")[1] for line in unescaped(wrong)] == ["3", "4", "6"]
