"""What ``pgcn bench`` has measured, as text."""

from rich.console import Console

from pgcn.cli.terminal import open_table
from pgcn.methods.pgcn import DEFAULT_PRESET
from pgcn.methods.registry import method_title
from pgcn.numbers import mean_sd


def show_method(row: dict, console: Console) -> None:
    """Print the time of an epoch and of a whole run of a method, and of its twins."""
    many = f"{row['seeds']} seeds, per run"
    table = open_table("", "twin", "ms per epoch", "one seed", many, "whole run (s)", "one seed", many)
    estimated = f", estimated from {row['twin_epochs_measured']} epochs" if row["twin_run_projected"] else ""
    for twin, milliseconds in row["twins_ms"].items():
        first, fastest = twin == next(iter(row["twins_ms"])), twin == row["twin"]
        run = [f"{row['twin_run_seconds']:.1f}, {row['twin_run_epochs']} epochs{estimated}"]
        run.append(f"{row['one_run_seconds']:.2f}, {row['one_run_epochs']} epochs  {row['one_run_ratio']:.1f}x")
        run.append(f"{row['seeds_run_seconds']:.2f}  {row['seeds_run_ratio']:.1f}x")
        table.add_row(
            f"{method_title(row['method'])} on {row['dataset']}" if first else "",
            twin.removesuffix("Twin"),
            f"{milliseconds:.2f}",
            f"{row['one_ms']:.2f}  {ratio(row['one_ratios'][twin], row['aim'] if fastest else None)}",
            f"{row['seeds_ms']:.2f}  {ratio(row['seeds_ratios'][twin], None)}",
            *(run if fastest else [""] * 3),
        )
    console.print(table)


def explain_methods(rows: list[dict], console: Console) -> None:
    """Print how the methods were measured."""
    console.print(
        f"Medians of epochs measured in turns, each twin on 1 or {rows[0]['threads']} thread(s), whichever is "
        "faster. Whole runs are of the fastest twin, with preparation and stopping rule; where one is estimated, "
        "the epochs measured stand for as many as our run took. GATConv drops less than GAT does: it is here "
        "because it is what PyG has."
    )


def show_epochs(rows: list[dict], console: Console) -> None:
    """Print the time of an epoch for every data set."""
    from pgcn.bench import LANES

    lanes = f"{LANES} lanes, per lane"
    table = open_table("ms per epoch", "plain PyG", "one lane", lanes, "whole growth run, all included")
    for row in rows:
        one, many = row["required_ratios"] or (None, None)
        whole_run = f"{row['run_blocks']} blocks in {row['run_seconds']:.1f} s"
        table.add_row(
            row["dataset"],
            f"{row['pyg_ms']:.2f}",
            f"{row['one_lane_ms']:.2f}  {ratio(row['one_lane_ratio'], one)}",
            f"{row['lanes_ms']:.3f}  {ratio(row['lanes_ratio'], many)}",
            f"{row['run_ms_per_epoch']:.2f}  {ratio(row['run_ratio'], None)}; {whole_run}",
        )
    console.print(table)
    console.print(
        f"A candidate of hidden width 10, preset {DEFAULT_PRESET}; medians of epochs measured in turns. "
        f"Plain PyG: full graph, GCNConv(cached=True), the faster of 1 and {rows[0]['threads']} thread(s)."
    )


def show_dense(figures: dict, console: Console) -> None:
    """Print the time of an epoch of every network, beside that of plain PyG, and of a whole run."""
    rows, run = figures["rows"], figures["run"]
    table = open_table("hidden widths", "plain PyG, ms per epoch", "ours")
    for row in rows:
        ours = f"{row['ours_ms']:.2f}  {ratio(row['ratio'], None)}"
        table.add_row("-".join(map(str, row["widths"])), f"{row['pyg_ms']:.2f}", ours)
    console.print(table)
    console.print(
        "Preset tuned on a synthetic graph of 7,650 nodes, 118,958 edges and 745 features, ÂX 91 % non-zero; "
        f"medians of epochs measured in turns on {rows[0]['threads']} thread(s). "
        "Plain PyG: full graph, ÂX computed once."
    )
    topology = "-".join(map(str, run["topology"])) or "nothing"
    console.print(f"A whole run, seed 0: {run['seconds']:.1f} s, {topology} accepted.")


def show_scale(figures: dict, console: Console) -> None:
    """Print time and memory over the number of nodes."""
    table = open_table("nodes", "edges", "make (s)", "grow (s)", "peak memory (GiB)")
    for row in figures["rows"]:
        table.add_row(
            f"{row['nodes']:,}",
            f"{row['edges']:,}",
            f"{row['make_seconds']:.1f}",
            f"{row['grow_seconds']:.2f}",
            f"{row['peak_gib']:.2f}",
        )
    about = "one layer of two blocks, 50 epochs each, on synthetic graphs of average degree 20"
    console.print(f"Preset {figures['preset']}, {about}")
    console.print(table)
    verdict = "no faster than linearly" if figures["exponent"] <= 1 else "FASTER THAN LINEARLY"
    console.print(f"time grows as nodes^{figures['exponent']:.2f}: {verdict}")


def show_presets(figures: list[dict], console: Console) -> None:
    """Print the seconds of a growth run with every preset."""
    table = open_table("data set", "preset", "s per run, mean ± sd", f"ratio to {figures[0]['against']}")
    for row in figures:
        table.add_row(row["dataset"], row["preset"], mean_sd(row["seconds"], row["sd"]), f"{row['ratio']:.2f}")
    console.print(f"Whole growth runs, one at a time, {figures[0]['seeds']} seeds in turns")
    console.print(table)


def show_study(figures: dict, console: Console) -> None:
    """Print the time of the difficulty study, and of its runs one by one."""
    verdict = "ok" if figures["study_seconds"] <= figures["required_seconds"] else "MISSED"
    console.print(
        f"The difficulty study on {figures['dataset']}, D' = {', '.join(map(str, figures['dims']))}, "
        f"{figures['experiments']} experiments, {' and '.join(figures['methods'])}: {figures['runs']} runs in "
        f"{figures['study_seconds']:.0f} s (at most {figures['required_seconds']} s: {verdict}), one by one in one "
        f"process {figures['one_by_one_seconds']:.0f} s: {ratio(figures['ratio'], figures['required_ratio'])}."
    )


def show_landscape(figures: dict, console: Console) -> None:
    """Print the time of a landscape, and of its networks one by one in plain PyG."""
    verdict = "ok" if figures["all_seconds"] <= figures["required_seconds"] else "MISSED"
    console.print(
        f"The landscape of {figures['dataset']}, widths {', '.join(map(str, figures['widths']))}, depths "
        f"{', '.join(map(str, figures['depths']))}, {figures['runs']} seeds: {figures['grid_seconds']:.0f} s, with "
        f"{figures['paths']} paths of growth and as many GCNs {figures['all_seconds']:.0f} s (at most "
        f"{figures['required_seconds']} s: {verdict}). The same networks one by one in plain PyG, on 1 thread or "
        f"all, whichever is faster: {figures['pyg_seconds']:.0f} s, by {figures['epochs']} times the median epoch "
        f"at every point, measured before and after: {ratio(figures['ratio'], figures['required_ratio'])}."
    )


def show_first_sight(figures: dict, console: Console) -> None:
    """Print how long a visitor waits for the first picture."""
    console.print(
        f"a fresh server, median of {figures['rounds']}: an empty page after {figures['empty_seconds']:.2f} s, the "
        f"recorded run moves after {figures['recorded_seconds']:.2f} s, {figures['more_seconds']:.2f} s later "
        f"(within 1.5 s: {'ok' if figures['more_seconds'] <= 1.5 else 'MISSED'})"
    )


def show_load(figures: dict, console: Console) -> None:
    """Print how a server did with many visitors."""
    blocks, sessions = figures["blocks"], figures["sessions"]
    released = "ok" if not figures["running_after"] else "MISSED"
    verdicts = {
        "progress": "ok" if figures["progressed"] == sessions else "MISSED",
        "tick": "ok" if figures["tick_median"] < 1 else "MISSED",
        "memory": "ok" if figures["memory_end"] < 1.2 * figures["memory_half"] else "MISSED",
        "after": "ok" if figures["memory_after"] < 1.2 * figures["memory_before"] else "MISSED",
    }
    console.print(
        f"{sessions} visitors with a job each for {figures['seconds']:.0f} s on {figures['cores']} cores\n"
        f"progress: {figures['progressed']} of {sessions} jobs advanced in the second half "
        f"({verdicts['progress']}); {min(blocks)} to {max(blocks)} blocks each\n"
        f"refresh of a page: median {figures['tick_median']:.2f} s (under 1 s: {verdicts['tick']}), 95 % within "
        f"{figures['tick_95']:.2f} s, worst {figures['tick_worst']:.2f} s, {figures['ticks']:,} in all; the "
        f"slowest visitor's median {figures['slowest_session']:.2f} s\n"
        f"memory: {figures['memory_before']:.0f} MB after a first visitor, "
        f"{figures['memory_half']:.0f} at half time, {figures['memory_end']:.0f} in the end "
        f"(flat: {verdicts['memory']}), {figures['memory_after']:.0f} after they had left "
        f"(given back: {verdicts['after']})\n"
        f"released: {figures['running_after']} runs still going ({released}); threads {figures['threads_before']} "
        f"before, {figures['threads_busy']} during, {figures['threads_after']} after"
    )


def ratio(value: float, required: float | None) -> str:
    """Return for example '8.1x (at least 5x: ok)'."""
    if required is None:
        return f"{value:.1f}x"
    return f"{value:.1f}x (at least {required}x: {'ok' if value >= required else 'MISSED'})"
