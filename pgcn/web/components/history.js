// One step of the browser's history for every view that a visitor chose.
//
// Streamlit adds a step whenever the server names another address. Here an address replaces the one before if the
// visitor has not acted since (a page that puts what it shows into its address), or if it names the same view: the
// parts in `view`, or all but those that end with "job" where a page lists none. After Back or Forward an address of another view
// is of a page that was still being drawn: it is not followed, until the visitor acts. What is chosen in the browser alone, the
// parts in `own`, the server does not know: it stays while the run does.

let view = null, own = [], acted = false, returned = false, installed = false;

const place = (url) => new URL(url, document.baseURI);

function parts(url) {
  const counts = ([name]) => (view ? view.includes(name) : !name.endsWith("job"));
  return JSON.stringify([...url.searchParams].filter(counts).sort());
}

function keepOwn(next, now) {
  if (next.pathname !== now.pathname || next.searchParams.get("run") !== now.searchParams.get("run")) return;
  for (const name of own) {
    const value = now.searchParams.get(name);
    if (value === null) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
}

function install() {
  const push = history.pushState;
  const addStep = function (state, title, url) {
    const next = place(url ?? location.href), now = place(location.href);
    const samePage = next.pathname === now.pathname, sameView = samePage && parts(next) === parts(now);
    if (returned && samePage && !sameView) return;
    keepOwn(next, now);
    if (sameView || (samePage && !acted)) return history.replaceState(state, title, next);
    acted = false;
    return push.call(history, state, title, next);
  };
  history.pushState = addStep;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => ([acted, returned] = [true, false]), { capture: true });
  addEventListener("popstate", () => ([acted, returned] = [false, true]), { capture: true });
}

export function show(_, names, chosenHere) {
  view = names;
  own = chosenHere;
  if (!installed) install();
  installed = true;
}
