// One step of the browser's history for every view that a visitor chose.
//
// Streamlit adds a step whenever the server names another address. Here an address replaces the one before if the
// visitor has not acted since (a page that puts what it shows into its address), or if it names the same view: the
// parts in `view`, or all but those that end with "job" where a page lists none.

let view = null, acted = false, installed = false;

const place = (url) => new URL(url, document.baseURI);

function parts(url) {
  const counts = ([name]) => (view ? view.includes(name) : !name.endsWith("job"));
  return JSON.stringify([...url.searchParams].filter(counts).sort());
}

function install() {
  const push = history.pushState;
  const addStep = function (state, title, url) {
    const next = place(url ?? location.href), now = place(location.href);
    const sameView = next.pathname === now.pathname && (!acted || parts(next) === parts(now));
    if (sameView) return history.replaceState(state, title, url);
    acted = false;
    return push.call(history, state, title, url);
  };
  history.pushState = addStep;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (acted = true), { capture: true });
  addEventListener("popstate", () => (acted = false), { capture: true });
}

export function show(_, names) {
  view = names;
  if (!installed) install();
  installed = true;
}
