"""Tables of texts as Markdown, CSV and LaTeX."""

import csv
import io
import re
from collections.abc import Callable, Sequence

from pgcn.errors import ConfigError, no_such
from pgcn.studies.arena.tables import Table

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "†": r"$^{\dagger}$",
    "–": "--",
    "·": r"$\cdot$",
    "Σ": r"$\Sigma$",
    "→": r"$\rightarrow$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def tables_text(tables: Sequence[Table], notes: Sequence[str], form: str) -> str:
    """Return tables, each with its notes, and the notes on all of them, in a format of :data:`FORMATS`."""
    if form not in FORMATS:
        raise ConfigError(no_such("format", form, FORMATS))
    return FORMATS[form](tables, notes)


def one_line(text: str) -> str:
    return " ".join(text.split())


def markdown_escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", one_line(text))


def as_markdown(tables: Sequence[Table], notes: Sequence[str]) -> str:
    parts = []
    for table in tables:
        lines = [table.columns, ["---", *["---:"] * (len(table.columns) - 1)], *table.rows]
        escaped = [line if line[0] == "---" else [markdown_escaped(text) for text in line] for line in lines]
        parts += [f"## {markdown_escaped(table.title)}", "\n".join(f"| {' | '.join(line)} |" for line in escaped)]
        parts += [markdown_escaped(note) for note in table.notes]
    return "\n\n".join([*parts, *(markdown_escaped(note) for note in notes)]) + "\n"


def as_csv(tables: Sequence[Table], notes: Sequence[str]) -> str:
    """Return the tables one below the other: a line with the title, the columns, the rows, an empty line."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    for table in tables:
        writer.writerows([[table.title], table.columns, *table.rows, *([note] for note in table.notes), []])
    writer.writerows([note] for note in notes)
    return text.getvalue()


def latex_escaped(text: str) -> str:
    """Return text that LaTeX typesets as it is."""
    return "".join(LATEX.get(character, character) for character in one_line(text))


def as_latex(tables: Sequence[Table], notes: Sequence[str]) -> str:
    parts = []
    for table in tables:
        head, *rows = (" & ".join(map(latex_escaped, line)) + r" \\" for line in (table.columns, *table.rows))
        body = [rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"\hline", head, r"\hline", *rows]
        parts.append(
            "\n".join(
                [
                    r"\begin{table*}",
                    r"\centering",
                    rf"\caption{{{latex_escaped(table.title)}}}",
                    *body,
                    r"\hline",
                    r"\end{tabular}",
                    r"\end{table*}",
                ]
            )
        )
        parts += [latex_escaped(note) for note in table.notes]
    return "\n\n".join([*parts, *map(latex_escaped, notes)]) + "\n"


FORMATS: dict[str, Callable[[Sequence[Table], Sequence[str]], str]] = {
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
}
