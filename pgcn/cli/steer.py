"""A person decides at the terminal: after each candidate what the rule would do, and a question."""

import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from pgcn.errors import ConfigError, shown
from pgcn.events import DecisionAwaited, RunStarted
from pgcn.methods.pgcn.decisions import DECISIONS, WORDS
from pgcn.methods.pgcn.events import BlockAwaited, BlockMeasured, LayerMeasured
from pgcn.methods.pgcn.explain import decision_sentence

Ask = Callable[[DecisionAwaited, RunStarted], str]
LETTERS = {decision[0]: decision for decision in DECISIONS}


def read_letters(text: str) -> list[str]:
    """Return the decisions of letters such as 'aarns'."""
    for letter in text:
        if letter not in LETTERS:
            known = ", ".join(f"{letter} ({WORDS[decision]})" for letter, decision in LETTERS.items())
            raise ConfigError(f"--decisions takes letters: {known}; got {shown(letter)}.")
    return [LETTERS[letter] for letter in text]


def check_terminal(letters: str) -> None:
    """Refuse to ask where nobody can answer, before anything is computed."""
    if not letters and not sys.stdin.isatty():
        raise ConfigError(
            "--steer asks after every candidate, but the input is not a terminal. Run it in a "
            "terminal, or give the "
            "decisions in advance, such as --decisions aarns."
        )


def asking(console: Console, letters: str = "") -> Ask:
    """Return what answers the questions of a run: first from the letters, then by asking."""
    given: Iterator[str] = iter(read_letters(letters))

    def ask(question: DecisionAwaited, started: RunStarted) -> str:
        if not console.is_terminal:
            console.print()
        console.print(Text.assemble((" ? ", "bold cyan"), question_text(question, started)))
        decision = next(given, "")
        while decision not in question.choices:
            if decision:
                console.print(f"   {WORDS[decision]} is not possible here.")
            if not sys.stdin.isatty():
                raise ConfigError(
                    "The run waits for a decision, but the input is not a terminal. A stored run can be resumed in "
                    "one: 'pgcn resume'."
                )
            decision = asked(console, question)
        return decision

    return ask


def question_text(question: DecisionAwaited, started: RunStarted) -> str:
    """Return what is asked, what the rule would do and why."""
    assert isinstance(question, BlockMeasured | LayerMeasured)
    where = f"layer {question.layer}, block {question.block}" if isinstance(question, BlockAwaited) else "the layer"
    return f"{where}: {decision_sentence(question, started)}"


def asked(console: Console, question: DecisionAwaited) -> str:
    """Ask once; return the decision, "" for an answer that is none."""
    words = ", ".join(f"[{choice[0]}]{WORDS[choice][1:]}" for choice in question.choices)
    answer = console.input(f"   {words}; Enter: as the rule ({WORDS[question.rule]}) > ", markup=False)
    return LETTERS.get(answer.strip().lower()[:1], "") if answer.strip() else question.rule
