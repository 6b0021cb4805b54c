"""A visitor grows on from an accepted block of a saved run, and walks the family, in a real browser."""

import pytest
from e2e.test_every_place import FAULTS, IS_THEME, STANDS, THEMES, axe_faults, lasting_faults
from tools import address, press, wait_until

from pgcn.data import load_graph
from pgcn.events import opening
from pgcn.execution.execute import execute
from pgcn.execution.recorder import stored_models
from pgcn.execution.spec import RunSpec
from pgcn.inside.profiles import class_profiles
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.store import Store

PARENT = "a" * 32
CONFIG = growth_preset(epochs=20, max_layers=2, max_width=15, epsilon_b=-1.0, epsilon_l=-1.0)
SPEC = RunSpec(method="pgcn", config=CONFIG, source=GraphSource(name="karate"))
SLOW = "branch=2&branch_seed=7&branch_epochs=1500"
"""In a link: a branch whose blocks take seconds."""
FROM, TREE = ".pgcn.family .from", ".pgcn.family .tree"
PLAYER = ".pgcn.player"
CELLS = "cells => cells.map(({dataset: {neuron, mean}, dataset}) => [+neuron, +dataset.class, +mean])"
LINKS = """(block) => [...document.querySelectorAll(`.network .link[data-from="${block}"]`)]
  .sort((a, b) => a.dataset.class - b.dataset.class).map(({ dataset }) => +dataset.weight)"""
"""The weights of a block's links to the output, in the order of the classes."""


@pytest.fixture(scope="module")
def saved(server):
    """A store with a saved run, whose every block was accepted."""
    store = Store(server.store)
    execute([SPEC], store, ids=[PARENT]).finish()
    return store


def run_of(page):
    return address(page).split("run=")[1].split("&")[0]


def began(page, parent=PARENT):
    """Return the id of the branch that a page shows, as soon as it does."""
    wait_until(lambda: f"of={parent}" in address(page), page=page)
    return run_of(page)


def accepted(store, run):
    return sum(isinstance(event, BlockAccepted) for event in store.events(run)) if store.find([run]) else 0


def test_a_branch_grows_from_the_step_that_is_shown_and_its_family_is_walked(server, saved, tabs):
    page = tabs(f"{server.url}/?run={PARENT}&at=4")
    button = page.locator(f"{PLAYER} .branch")
    assert button.inner_text() == "Branch from L1·B2"
    page.locator(f"{PLAYER} [type=range]").fill("0")
    assert button.is_disabled()
    page.locator(f"{PLAYER} [type=range]").fill("4")
    button.click()
    dialog = page.get_by_role("dialog")
    step = page.locator(".st-key-branch_step input")
    wait_until(lambda: step.input_value().startswith("L1·B2 · 34 → 10 → 4"), page=page)
    dialog.get_by_text("Nothing differs yet").wait_for()
    assert page.locator(".st-key-branch_start button").first.is_disabled()
    seed = page.locator(".st-key-branch_of_seed input")
    seed.fill("7")
    seed.press("Enter")
    dialog.get_by_text("Changed: seed 0 → 7.").wait_for()
    press(page, "branch_start")
    child = began(page)
    dialog.wait_for(state="detached")
    page.locator(f"{PLAYER}[data-replay='{child}'][data-live='false']").wait_for(timeout=60_000)
    page.locator(".st-key-summary").wait_for()
    started = opening(saved.events(child))
    assert (started.parent["run"], started.parent["step"], started.config["seed"]) == (PARENT, 2, 7)
    page.locator(FROM).get_by_text("Branched from Karate club, seed 0 at L1·B2").wait_for()
    page.locator(f"{FROM} a").click()
    wait_until(lambda: run_of(page) == PARENT and "at=4" in address(page), page=page)
    page.locator(f"{PLAYER}[data-replay='{PARENT}'][data-cursor='4']").wait_for()
    page.locator(FROM).wait_for(state="detached")
    page.go_back()
    page.locator(f"{PLAYER}[data-replay='{child}']").wait_for()
    rows = page.locator(f"{TREE} a")
    assert rows.all_inner_texts() == ["Karate club, seed 0", "from L1·B2: seed 0 → 7"]
    assert rows.nth(1).get_attribute("aria-current") == "page"
    rows.nth(1).focus()
    page.keyboard.press("ArrowLeft")
    assert rows.nth(0).evaluate("link => link === document.activeElement")
    page.keyboard.press("Enter")
    page.locator(f"{PLAYER}[data-replay='{PARENT}']").wait_for()
    wait_until(lambda: run_of(page) == PARENT, page=page)
    page.locator(f"{TREE} a[aria-current=page]", has_text="Karate club, seed 0").wait_for()
    page.goto(f"{server.url}/runs?run={PARENT}")
    page.locator(f"{TREE} a").nth(1).click()
    page.locator(FROM).wait_for()
    assert run_of(page) == child
    page.locator(".st-key-copy button:visible").first.click()
    page.get_by_text(f"pgcn branch {PARENT} --step 2 --set seed=7").first.wait_for()
    page.keyboard.press("Escape")
    page.go_back()
    page.locator(FROM).wait_for(state="detached")
    assert run_of(page) == PARENT


def test_the_dialog_opens_from_the_menu_too_and_escape_leaves_everything_as_it_was(server, saved, tabs):
    page = tabs(f"{server.url}/?run={PARENT}")
    page.set_viewport_size({"width": 390, "height": 844})
    press(page, "menu")
    page.get_by_text("Branch from an accepted block").click()
    step = page.locator(".st-key-branch_step input")
    wait_until(lambda: step.input_value().startswith("L2·B3"), page=page)  # the last
    wait_until(lambda: "branch=6" in address(page), page=page)
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    wait_until(lambda: "branch" not in address(page), page=page)
    assert run_of(page) == PARENT


def test_a_branch_is_found_again_after_a_reload_and_after_walking_to_its_parent(server, saved, tabs):
    page = tabs(f"{server.url}/?run={PARENT}&{SLOW}")
    page.get_by_role("dialog").get_by_text("Changed: epochs 20 → 1500, seed 0 → 7.").wait_for()
    press(page, "branch_start")
    child = began(page)
    wait_until(lambda: accepted(saved, child) >= 2, page=page)
    page.reload()
    page.locator(f"{PLAYER}[data-replay='{child}'][data-live='true']").wait_for()
    page.locator(FROM).get_by_text("at L1·B2").wait_for()
    page.locator(f"{TREE} a").first.click()
    page.locator(f"{PLAYER}[data-replay='{PARENT}']").wait_for()
    page.locator(f"{TREE} a[data-run='{child}']").click()
    page.locator(f"{PLAYER}[data-replay='{child}'][data-live='false']").wait_for(timeout=90_000)
    page.locator(".st-key-summary").wait_for()
    assert saved.run(child).status == "finished"


def test_a_visitor_may_decide_from_the_step_on(server, saved, tabs):
    page = tabs(f"{server.url}/?run={PARENT}&branch=2&branch_decider=person")
    press(page, "branch_start")
    child = began(page)
    place = page.locator(".st-key-decide")
    place.get_by_text("Layer 1, block 3.").wait_for(timeout=60_000)
    assert page.locator(".st-key-decide_undo button").first.is_disabled()  # the parent's blocks stay
    press(page, "decide_stop")
    page.locator(f"{PLAYER}[data-replay='{child}'][data-live='false']").wait_for(timeout=60_000)
    wait_until(lambda: saved.run(child).status == "finished", page=page)
    assert saved.run(child).topology == (15,)
    place.get_by_text("the rule: validation").wait_for(timeout=60_000)
    press(page, "to_rule")  # the branch that the rule grows from the same block
    page.locator(f"{TREE} a[aria-current=page]", has_text="from L1·B2: the same settings").wait_for()
    page.locator(f"{TREE} a", has_text="decider rule → person").wait_for()


def test_what_the_blocks_of_a_saved_run_have_learned_is_what_the_core_computes_from_its_weights(
    server, saved, tabs
):
    run = "f" * 32  # nobody has looked at it yet
    execute([SPEC.with_config(seed=1)], saved, ids=[run]).finish()
    graph, models = load_graph("karate"), stored_models(saved, run)
    computed = class_profiles(models[max(models)], graph)
    page = tabs(f"{server.url}/?run={run}")
    page.locator(".st-key-next_inside").wait_for()
    assert page.locator(f"{PLAYER} .within").is_hidden()
    press(page, "next_inside")
    page.locator(f"{PLAYER} .network .link").first.wait_for(timeout=60_000)
    assert page.locator(f"{PLAYER} .within").is_visible()
    page.locator(f"{PLAYER} [type=range]").focus()
    page.keyboard.press("End")
    for layer, profile in enumerate(computed.layers, start=1):
        for block in range(3):
            place = page.locator(f".network .block[aria-label^='Layer {layer}, block {block + 1}:']")
            place.focus()
            neurons = slice(5 * block, 5 * block + 5)
            cells = page.locator(f"{PLAYER} .tip .profile .cell").evaluate_all(CELLS)
            assert sorted(cells) == [
                [neuron, c, float(f"{mean:.3g}")]
                for neuron in range(neurons.start, neurons.stop)
                for c, mean in enumerate(profile.means[neuron])
            ]
            said = page.locator(f"{PLAYER} .tip .inside").inner_text()
            assert f"Dead neurons: {sum(profile.dead[neurons])} of 5." in said
            weights = page.evaluate(LINKS, place.get_attribute("data-block"))
            sums = computed.readout[neurons].sum(axis=0) if layer == len(computed.layers) else []
            assert weights == pytest.approx(list(sums), rel=0.01, abs=0.02)


def test_the_dialog_is_accessible_and_fits_a_telephone(server, saved, tabs):
    page, faults = tabs(f"{server.url}/?run={PARENT}&branch=2"), []
    page.locator(".st-key-branch_start").wait_for()
    for theme, options in THEMES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(IS_THEME, arg=theme)
        page.evaluate(STANDS)
        faults += [f"{theme}: {fault}" for fault in axe_faults(page, options)]
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        page.reload()  # nobody resizes a window that shows a dialog
        page.locator(".st-key-branch_start").wait_for()
        # What the dialog covers is meant to be covered.
        faults += [
            f"{width} px: {fault}" for fault in lasting_faults(page, FAULTS) if not fault.startswith("covered")
        ]
    assert not faults, "\n".join(faults)
