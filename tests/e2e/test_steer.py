"""A visitor decides what becomes of each block, in a real browser."""

from e2e.test_every_place import FAULTS, IS_THEME, STANDS, THEMES, axe_faults, lasting_faults
from tools import address, at_rest, press, wait_until

from pgcn.data import load_graph
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockRejected, LayerAccepted, Undone
from pgcn.store import Store

LINK = "dataset=karate&epochs=30&max_layers=3&max_width=15&decider=person"
PLACE = ".st-key-decide"
TOP = "document.querySelector('.player').getBoundingClientRect().top"


def asks(page, words):
    """Wait until the visitor is asked about something."""
    page.locator(PLACE).get_by_text(words).wait_for(timeout=60_000)


def run_of(page):
    wait_until(lambda: "run=" in address(page))
    return address(page).split("run=")[1].split("&")[0]


def faults(page):
    """Return what is wrong with accessibility in either theme, and with geometry on a telephone and a notebook."""
    found = []
    for theme, options in THEMES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(IS_THEME, arg=theme)
        found += axe_faults(page, options)
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(STANDS)
        found += lasting_faults(page, FAULTS)
    return found


def kinds(store, run):
    return [type(event) for event in store.events(run)]


def test_each_decision_does_what_it_says_and_the_rule_s_run_stands_beside_it(server, tabs):
    page, store = tabs(f"{server.url}/?{LINK}"), Store(server.store)
    assert page.locator(".st-key-steer input").is_checked()
    asks(page, "Grow: you decide on each candidate")
    page.locator(".player .network").wait_for()
    place = page.evaluate(TOP)
    press(page, "grow")
    asks(page, "Layer 1, block 1.")
    assert page.locator(".st-key-decide_reject button").first.is_disabled()  # there would be no network
    press(page, "decide_accept")
    asks(page, "Layer 1, block 2.")
    run = run_of(page)
    assert not (found := faults(page)), "\n".join(found)
    page.reload()
    asks(page, "Layer 1, block 2.")
    at_rest(page)  # the buttons have their keys once they are drawn
    page.keyboard.press("a")
    asks(page, "Layer 1, block 3.")
    press(page, "decide_undo")
    asks(page, "Layer 1, block 2.")
    wait_until(lambda: Undone in kinds(store, run))
    press(page, "decide_new_layer")
    asks(page, "Layer 2, block 1.")
    press(page, "decide_accept")
    asks(page, "Layer 2, block 2.")
    press(page, "decide_reject")
    asks(page, "Layer 2 is complete.")
    press(page, "decide_stop")
    page.locator(".st-key-to_rule").wait_for(timeout=90_000)
    asks(page, "You: validation")
    assert page.evaluate(TOP) == place  # neither the question nor what it came to has moved the picture
    told = kinds(store, run)
    assert told.count(Undone) == 1 and BlockRejected in told and told.count(LayerAccepted) == 2
    assert store.run(run).topology == (10, 5) and store.events(run)[-1].ending == "stopped_by_hand"
    assert store.run(run).status == "finished"
    press(page, "to_rule")
    page.locator(".pgcn").wait_for()
    wait_until(lambda: run_of(page) != run)
    beside = store.run(run_of(page))
    alone = grow(load_graph("karate"), growth_preset(epochs=30, max_layers=3, max_width=15)).finish()
    assert (beside.topology, beside.parameters) == (alone.topology, alone.parameters)
    page.go_back()
    asks(page, "the rule: validation")
    assert not (found := faults(page)), "\n".join(found)
