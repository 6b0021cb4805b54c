"""Watch that what lives on a page stays where it is, as clear as it is and the same, while the machine is busy."""

import itertools

SAMPLES = 5
"""A second."""
WATCH = """([root, parts, counted, pause]) => {
  document.querySelector(root).guard = 'first';
  window.samples = [];
  const opacity = (node) => (node ? Number(getComputedStyle(node).opacity) * opacity(node.parentElement) : 1);
  const place = (name) => {
    const { x, y, width, height } = document.querySelector(`${root} ${name}`).getBoundingClientRect();
    return [name, ...[x, y, width, height].map(Math.round)].join(' ');
  };
  const look = () => {
    const here = document.querySelector(root);
    const there = [...document.querySelectorAll(counted)].filter((node) => node.offsetParent);
    const row = `${counted} ${there.length}`;
    window.samples.push(here ? [here.guard, opacity(here), ...parts.map(place), row].join(', ') : 'gone');
  };
  setInterval(look, pause);
  // However short it is gone, between two samples too.
  const gone = new MutationObserver(() => document.querySelector(root) || look());
  gone.observe(document.body, { childList: true, subtree: true });
}"""


def watch(page, root, parts, counted):
    """Begin to watch what ``root`` names, some parts of it, and how many of what is ``counted`` are seen."""
    page.evaluate(WATCH, [root, parts, counted, 1000 // SAMPLES])


def expect_steady(page):
    """Fail where anything moved, faded, was drawn anew, or was there in another number since it is watched."""
    seen = page.evaluate("window.samples")
    changes = [pair for pair in itertools.pairwise(seen) if pair[0] != pair[1]]
    assert not changes, "\n".join([f"{len(changes)} changes in {len(seen)} samples", *itertools.chain(*changes)])
    assert seen[0].startswith("first, 1, "), seen[0]
    assert len(seen) > 3 * SAMPLES
