"""An advice in words for a card: what is known at once, and the evidence once there is some. No torch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pgcn.numbers import counted, signed

if TYPE_CHECKING:
    from pgcn.data.catalogue import GraphFacts
    from pgcn.studies.advice.evidence import Advice, Choice, Measured


def at_once(facts: "GraphFacts", before: "GraphFacts | None" = None, portrait: dict[str, Any] | None = None) -> str:
    """Return what is known of a graph without loading it; ``before`` are its facts before a projection."""
    per = f"{facts.labelled / max(1, facts.features):.2g} labels per feature (N_L/D)"
    if before is not None and before.features != facts.features:
        per += f", {facts.labelled / max(1, before.features):.2g} before the projection"
    parts = [per, f"{100 * facts.labelled / max(1, facts.nodes):.2g} % labelled"]
    if portrait and (trained := portrait["trained"]) and sum(trained):
        low, high = (100 * end(trained) / sum(trained) for end in (min, max))
        parts.append(f"classes of {low:.0f} to {high:.0f} % of the labels" if high > low else "balanced labels")
    if portrait and portrait["homophily"] is not None:
        parts.append(f"homophily {portrait['homophily']:.2f}")
    return " · ".join(parts)


def sentence_parts(advice: "Advice") -> tuple[str, str]:
    """Return what an advice says first, and its evidence."""
    title, _, rest = advice.sentence.partition(": ")
    return title, f"{rest[:1].upper()}{rest[1:]}"


def counted_lines(advice: "Advice") -> list[str]:
    """Return what was counted, a line each."""
    return [f"{what}: {how_much}" for what, how_much in advice.facts.rows()]


def measured_lines(advice: "Advice") -> list[tuple[str, str]]:
    """Return the contenders of an advice, and what each reached."""
    gains = {"gcn-64": advice.wide, "growth": advice.growth}
    lines = []
    for row in advice.measured:
        name = f"Growth ({', '.join(advice.grown)})" if row.name == "growth" else row.name.upper()
        found = gains.get(row.name)
        gained = "" if found is None else f" · {signed(found.mean)} ({found.interval()})"
        lines.append((name, f"{row.accuracy_text()}{gained} · {spent(row)}"))
    return lines


def preset_lines(choice: "Choice") -> list[tuple[str, str]]:
    """Return the presets that were tried, and how far each is behind the best."""
    return [
        (
            row.name,
            row.accuracy_text()
            + ("" if row.behind is None else f" · {signed(row.behind.mean)} ± {row.behind.error:.1f}")
            + f" · {spent(row)}",
        )
        for row in choice.tried
    ]


def spent(row: "Measured") -> str:
    """Return for example '19,208 parameters, 3 seeds'."""
    cut = "" if row.finished else ", cut short"
    return f"{row.parameters:,.0f} parameters, {counted(row.runs, 'seed')}{cut}"


def bullets(lines: Sequence[tuple[str, str]]) -> str:
    """Return lines as a list in Markdown."""
    return "\n".join(f"- **{name}** {text}" for name, text in lines)
