"""The Learn page in a real browser: every stop opens by its link, and its numbers are the core's."""

import pytest
from tools import press, unexpected, wait_until, watched_tab

from pgcn.engine.fields import PreparedGraph
from pgcn.execution.pool import processes
from pgcn.graph import adjacency, normalized_adjacency
from pgcn.lessons.breaks import run_with
from pgcn.lessons.example import TOUR, tour_graph
from pgcn.lessons.steps import FIRST, network_of, outputs_of, solved, start_of, tour_run
from pgcn.lessons.training import LAMBDAS, right_in
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.pgcn.readout import solve_readout
from pgcn.ui.learn.stops import STOPS


@pytest.fixture(scope="module")
def page(window, server):
    """One tab for all tests of this file."""
    errors = []
    page = watched_tab(window, errors)
    page.goto(server.url)  # so that app.py's own navigation is there
    page.wait_for_selector(".pgcn")
    yield page
    page.close()
    assert unexpected(errors) == []


def visit(page, server, query):
    page.goto(f"{server.url}/learn?{query}")
    page.wait_for_selector(".st-key-tour")


def picture(page, kind):
    """Wait for a picture, until the one before it is gone, and return the sentence under it."""
    page.wait_for_selector(f".lesson[data-kind={kind}] .sentence")
    page.wait_for_function("() => document.querySelectorAll('.lesson').length === 1")
    return page.locator(".lesson .sentence").inner_text()


def cells(page, part, row=None):
    """Return the numbers of a table of the picture, or of one of its rows."""
    table = page.locator(f".lesson [data-part={part}]")
    rows = table.locator("tr").all() if row is None else [table.locator("tr").nth(row)]
    texts = [cell.inner_text() for line in rows for cell in line.locator("td[class]").all()]
    return [float(text.replace("−", "-")) for text in texts if text not in ("Σ", "")]


def rounded(values, digits):
    return [round(float(value), digits) + 0.0 for value in values]


def first_block():
    """Return H [36, 3] of the first block as it begins."""
    graph = tour_graph()
    network = network_of(TOUR, graph, FIRST.widths, start_of(TOUR, graph, FIRST))
    return network.hidden_features(graph.x, graph.edge_index).detach()


def readout_by_the_core(lambda1):
    prepared = PreparedGraph(tour_graph())
    return solve_readout(
        first_block(),
        prepared.nodes["labelled"],
        prepared.target_vectors("labelled"),
        prepared.smoothing(TOUR.laplacian),
        TOUR.change(lambda1=lambda1),
    )


def facts():
    """Return for each stop a link into it, and what its picture must then say, computed here by the core."""
    pool = processes(1, reproducibly=True)  # as the page computes it
    graph, (events, accepted) = tour_graph(), pool.executor.submit(tour_run).result()
    pool.shutdown()
    most = int(adjacency(graph.edge_index, 36).sum(axis=1).max()) + 1
    outputs = outputs_of(TOUR, graph, FIRST.widths, solved(TOUR, graph, FIRST))
    right, there = right_in(graph, outputs)["test"]
    moved = (accepted[(6,)]["hidden.0.weight"][:, :3] - accepted[(3,)]["hidden.0.weight"]).abs().max()
    first = next(event for event in events if isinstance(event, BlockAccepted))
    return {
        "graph": ("at=1", f"{graph.num_edges} edges"),
        "normalise": ("at=1", f"the largest value is {most} with A + I"),
        "convolution": ("at=0&node=5", "Node 5 has 4 neighbours and a self-loop"),
        "readout": (f"at={LAMBDAS.index(1.0)}", f"‖O‖ = {readout_by_the_core(1.0).norm():.3f}"),
        "tuning": ("at=0", f"{right} of {there} ({100 * right / there:.0f} %) test"),
        "block": ("at=2", f"the largest change of an old weight is {moved:.2f}"),
        "test": ("at=2", f"the final network is {' → '.join(map(str, events[-1].topology))}"),
        "layers": ("at=12", ending_sentence(events[-1])),
        "convergence": ("at=0", f"{first.error_tuned:.2f} after fine-tuning"),
    }


def places(page):
    """Return where the controls and the picture are, and how large."""
    parts = (".st-key-tour_next button", ".lesson .controls", ".lesson .board")
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    return [[round(box[side]) for side in ("x", "y", "width")] for box in boxes], round(boxes[-1]["height"])


IN_VIEW = """() => { const { left, right } = document.querySelector(".st-key-learn_stop [aria-checked=true]")
  .getBoundingClientRect(); return left >= 0 && right <= innerWidth; }"""
"""The stop that is shown is seen in the row of stops."""


def test_every_stop_opens_by_its_link_with_the_numbers_of_the_core_and_fits_a_telephone(page, server):
    page.set_viewport_size({"width": 390, "height": 844})
    known, seen = facts(), {}
    for name, stop in STOPS.items():
        query, fact = known.get(name, ("", ""))
        visit(page, server, f"stop={name}&{query}")
        page.get_by_role("heading", name=stop.title, exact=True).wait_for()
        assert page.locator(".st-key-learn_stop button[aria-checked=true]").inner_text().endswith(stop.short)
        if stop.equation:
            page.locator(".st-key-lesson_words .katex-display").wait_for()
            assert fact in picture(page, name), name
        if stop.equation:  # the style sheet is there
            assert page.locator(".lesson .board").evaluate("(node) => getComputedStyle(node).borderRadius") == "8px"
            seen[name] = places(page)[0]
            tops = [page.locator(f".st-key-lesson_{part}").bounding_box()["y"] for part in ("lead", "figure")]
            tops.append(page.locator(".st-key-lesson_words .katex-display").bounding_box()["y"])
            assert tops == sorted(tops), name  # the sentence, the picture, the equation
        page.wait_for_function(IN_VIEW)
        sticks_out = "document.querySelector('[data-testid=stMain]').scrollWidth > 390"
        assert not page.evaluate(sticks_out), name
    assert all(place == seen["graph"] for place in seen.values()), seen
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_figure_is_drawn_anew_when_a_telephone_is_turned_so_that_its_text_stays_readable(page, server):
    lowest = """() => Math.min(...[...document.querySelectorAll(".lesson svg text")].map((text) => {
      const { c, d } = text.getScreenCTM();
      return Math.hypot(c, d) * parseFloat(getComputedStyle(text).fontSize); }))"""
    page.set_viewport_size({"width": 844, "height": 390})
    for name in ("test", "layers"):
        visit(page, server, f"stop={name}&at=4")
        picture(page, name)
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function(f"() => ({lowest})() > 10")
        assert page.locator(".lesson").get_attribute("data-at") == "4"
        page.set_viewport_size({"width": 844, "height": 390})
    page.set_viewport_size({"width": 1440, "height": 900})


def test_nothing_moves_from_stop_to_stop_or_from_step_to_step(page, server):
    visit(page, server, "stop=graph&at=0")
    picture(page, "graph")
    first = places(page)
    for name in [name for name, stop in STOPS.items() if stop.equation]:
        page.locator(".st-key-learn_stop button", has_text=STOPS[name].short).first.click()
        picture(page, name)
        assert places(page) == first, name
        page.locator(".lesson .transport input").press("End")
        assert places(page) == first, name


def test_pointing_at_a_node_shows_its_row_of_the_normalised_adjacency(page, server):
    visit(page, server, "stop=convolution&at=4&node=5")
    assert "zero" in picture(page, "convolution")
    assert cells(page, "hidden") == rounded(first_block()[5], 3)
    A_hat = normalized_adjacency(adjacency(tour_graph().edge_index, 36)).toarray()
    for node in (21, 6):
        page.locator(f".lesson .node[data-node='{node}']").hover()
        table = page.locator(".lesson [data-part=row]")
        assert f"Row {node} of Â" in table.inner_text()
        weights = [float(cell.inner_text()) for cell in table.locator("td.factor").all()]
        assert weights == rounded(A_hat[node][A_hat[node] > 0], 2)
        assert cells(page, "hidden") == rounded(first_block()[node], 3)
    page.locator(".lesson .node[data-node='6']").press("ArrowRight")
    assert "Row 7 of Â" in page.locator(".lesson [data-part=row]").inner_text()
    page.keyboard.press("Enter")
    assert "node=7" in page.evaluate("location.href")


def test_the_slider_of_lambda_shows_the_core_s_readout_and_a_link_keeps_it(page, server):
    visit(page, server, "stop=readout")
    picture(page, "readout")
    at = LAMBDAS.index(1.0)
    assert cells(page, "readout") == rounded(readout_by_the_core(1.0).flatten(), 3)
    page.locator(".lesson .transport input").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert cells(page, "readout") == rounded(readout_by_the_core(10.0).flatten(), 3)
    assert page.locator(".lesson output").inner_text() == "λ₁ = 10"
    assert f"at={at + 4}" in page.evaluate("location.href")
    page.reload()
    picture(page, "readout")
    assert page.locator(".lesson output").inner_text() == "λ₁ = 10"


def test_next_back_steps_and_the_browser_s_own_back_lead_through_the_tour(page, server):
    visit(page, server, "stop=graph&at=4")
    picture(page, "graph")
    press(page, "tour_next")
    picture(page, "normalise")
    wait_until(lambda: page.evaluate("location.search") == "?stop=normalise")
    page.locator(".st-key-learn_stop button", has_text="Paper").click()
    page.get_by_role("heading", name="The five that matter most").wait_for()
    press(page, "tour_back")
    page.locator(".lesson[data-kind=compare]").first.wait_for()
    page.go_back()
    page.get_by_role("heading", name="The five that matter most").wait_for()


def test_a_break_is_really_run_beside_the_unbroken_method(page, server):
    visit(page, server, "stop=break&break=epsilon")
    page.get_by_text("Nothing has been run yet").wait_for()
    assert page.locator(".lesson .seed").count() == 0
    press(page, "break_run")
    page.get_by_text("Measured, graph 0").wait_for(timeout=120_000)
    told = page.locator(".lesson .topologies").inner_text()
    for arm, name in (("as it is", ""), ("ε = 0.3", "epsilon")):
        assert f"{arm}: {'→'.join(map(str, run_with(name, 0, 0)['topology']))}," in told
    assert page.locator(".lesson .seed").count() == 2 * 3 * 8
    page.locator(".st-key-learn_break button", has_text="400 epochs").click()
    page.get_by_role("heading", name="Far too many epochs").wait_for()
    press(page, "break_run")
    press(page, "break_stop")
    page.get_by_text("Stopped after").wait_for()
    assert "break=epochs" in page.evaluate("location.href")
    press(page, "break_run")
    page.locator(".st-key-break_stop button").first.wait_for()
    press(page, "break_stop")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("stop=nowhere", "No stop named 'nowhere'."),
        ("stop=layers&at=99", "The link asks for at = 99; in this figure it may be 0 to 12."),
        ("stop=break&break=everything", "No break named 'everything'."),
    ],
)
def test_what_a_link_cannot_have_is_said_in_a_sentence(page, server, query, sentence):
    visit(page, server, query)
    page.get_by_text(sentence).first.wait_for()
    page.wait_for_selector(".lesson .board")
