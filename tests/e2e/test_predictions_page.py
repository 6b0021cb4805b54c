"""The Predictions page in a real browser: see them, take them home, trust them, ask why."""

import csv
import re

from predictions.test_predictions import own_graph
from tools import press

from pgcn.execution.execute import execute
from pgcn.execution.graphs import named_source
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.store import Store


def test_a_stored_run_gives_predictions_to_take_home_to_trust_and_to_understand(server, tabs, tmp_path):
    store = Store(server.store)
    store.add_graph(own_graph(), name="<b>mine</b>")
    config = growth_preset(epochs=40, max_layers=1, max_width=10)
    source = named_source(store, "<b>mine</b>")
    execute([RunSpec(method="pgcn", config=config, source=source)], store, ids=["one"]).finish()
    store.close()
    page = tabs(f"{server.url}/predictions?run=one")
    press(page, "predictions_compute")  # a link starts nothing
    page.locator(".st-key-predictions_table td", has_text="=node 0").first.wait_for()
    assert page.locator(".st-key-predictions_table td b").count() == 0  # '<b>red</b>' is text
    with page.expect_download() as getting:
        press(page, "predictions_get_0")
    getting.value.save_as(tmp_path / "got.csv")
    with (tmp_path / "got.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 90
    view = page.locator(".st-key-predictions_view")
    view.get_by_text("Calibration").click()
    page.locator(".st-key-predictions_reliability_validation .points path").first.wait_for()
    page.locator(".st-key-predictions_scaled label").first.click()
    page.get_by_text("The temperature was fitted on these").wait_for()
    view.get_by_text("Label these next").click()
    page.locator(".st-key-predictions_labels, .stForm").first.wait_for()
    page.get_by_role("button", name="Grow again with these labels").click()
    page.get_by_text("No node was labelled").wait_for()  # said above what the click drew anew
    page.locator(".stForm .stSelectbox").first.click()
    page.get_by_role("option", name="green").click()
    page.get_by_role("button", name="Grow again with these labels").click()
    page.get_by_text(re.compile("On the same validation nodes")).wait_for()
    view.get_by_text("Why this class?").click()
    press(page, "predictions_explain")
    page.locator(".st-key-predictions_why .points path").first.wait_for()
    assert page.locator("[data-testid=stException]").count() == 0
