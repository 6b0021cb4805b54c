"""Settings to start from, each with a name and what to look for. No streamlit, no torch."""

from dataclasses import dataclass

from pgcn.ui.grow.settings import FIRST, Settings


@dataclass(frozen=True, kw_only=True)
class Example:
    """Settings with a sentence about what to look for."""

    about: str
    settings: Settings


EXAMPLES = {
    "Goes deep": Example(
        about="Cora's 1,433 features projected at random to 30, half of the nodes labelled: depth makes up for "
        "poor features.",
        settings=FIRST,
    ),
    "Public split": Example(
        about="All features and the 140 labelled nodes of the literature: growing gains nothing over a GCN.",
        settings=Settings(reproducible=True, seed=3),
    ),
    "The paper's Cora": Example(
        about="The paper's text to the letter: training accuracy decides. It soon reaches 100 %, so growth stops.",
        settings=Settings(reproducible=True, preset="paper"),
    ),
    "Many rejections": Example(
        about="A block is rejected unless it improves validation accuracy by 5 %; layers are always accepted.",
        settings=Settings(
            reproducible=True, changes={"epsilon_b": 0.05, "epsilon_l": -1.0, "max_layers": 6, "epochs": 150}
        ),
    ),
    "Ten seconds": Example(
        about="A short run on Cora, to see the idea: one layer, few blocks.",
        settings=Settings(reproducible=True, changes={"epochs": 100, "max_layers": 1, "max_width": 20}),
    ),
}
