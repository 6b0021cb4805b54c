"""Where the paper contradicts itself or its published code, and what we chose."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS
from pgcn.ui.learn.links import grow_link, stop_link
from pgcn.ui.links import as_text


@dataclass(frozen=True, kw_only=True)
class Row:
    """One contradiction. ``settings`` are the fields it is about, each with a value that differs from ours."""

    about: str
    paper: str
    code: str
    choice: str
    settings: dict[str, Any] = field(default_factory=dict)
    preset: str = DEFAULT_PRESET


TABLES: dict[str, list[Row]] = {
    "What is computed": [
        Row(
            about="The output layer",
            paper="A plain product HO.",
            code="One more graph convolution on top of it, though O was solved for the plain product.",
            choice="The product. `tuned` uses the convolution, `pagerank` PageRank, and both solve O for what is "
            "then computed.",
            settings={"readout": "graph"},
        ),
        Row(
            about="Bias",
            paper="No equation has one; the parameter counts in its table are right only with one.",
            code="Everywhere; the solve leaves out the output's bias.",
            choice="None.",
            settings={"bias": True},
        ),
        Row(
            about="Which nodes the solve fits",
            paper="Prints HᵀH over all nodes. Setting the derivative of its own objective to zero gives labelled "
            "nodes only.",
            code="As printed.",
            choice="As printed, which amounts to a target of zero for unlabelled nodes; the other is a setting.",
            settings={"closed_form": "derived"},
        ),
        Row(
            about="How much smoothness counts",
            paper="Divides by N² in the objective and again in λ₂: N⁻⁴ in all.",
            code="N⁻², with λ₁ fixed at 0.1.",
            choice="The paper's. Either way the term is too small to matter; λ₂ can be set.",
            settings={"lambda2": 1.0, "lambda1": 0.1},
        ),
        Row(
            about="The Laplacian",
            paper="With self-loops in the algorithm, without them in the text.",
            code="With self-loops; each solve overwrites the matrix, so that smoothness fades.",
            choice="With self-loops, not overwritten.",
            settings={"laplacian": "plain", "laplacian_overwritten": True},
        ),
        Row(
            about="Dropout while solving",
            paper="Not stated.",
            code="On, because a fresh model is in training mode.",
            choice="Off.",
            settings={"solve_dropout": True},
        ),
    ],
    "What decides": [
        Row(
            about="The metric of growth",
            paper="Training accuracy. It soon reaches 100 %, which makes the second layers in its own tables "
            "impossible.",
            code="Validation accuracy after the last epoch.",
            choice="Validation accuracy; the preset `paper` follows the text.",
            settings={"metric": "labelled_accuracy"},
        ),
        Row(
            about="The threshold",
            paper="Rejected if r < 0.0001.",
            code="Rejected if r ≤ 0.001: also if nothing is gained.",
            choice="The paper's.",
            settings={"epsilon_b": 0.001, "epsilon_l": 0.001, "reject_equal": True},
        ),
        Row(
            about="A layer's first block",
            paper="Has nothing to be compared with; taken literally a layer could end empty.",
            code="Always accepted.",
            choice="Always accepted; the layer is judged as a whole.",
        ),
        Row(
            about="What a layer is compared with",
            paper="The network accepted before it.",
            code="The block that was just rejected, which is easier to beat.",
            choice="The accepted network.",
            settings={"layer_baseline": "rejected"},
        ),
        Row(
            about="Rollback",
            paper="All weights, according to the text; the algorithm forgets the readout.",
            code="Loads the accepted weights again.",
            choice="Everything is restored, bit for bit.",
        ),
        Row(
            about="The epoch that counts",
            paper="Not stated: the last of a block, or its best.",
            code="The last.",
            choice="The last; nothing is selected afterwards.",
        ),
        Row(
            about="Limits",
            paper="10 layers of 100 neurons.",
            code="20 layers of 20 blocks.",
            choice="The paper's.",
            settings={"max_layers": 20},
        ),
    ],
    "How it is trained": [
        Row(
            about="What a new block starts from",
            paper="All weights trained so far.",
            code="Only the first layer's: a return statement is inside the loop.",
            choice="All.",
            settings={"carry_over": "first_layer"},
        ),
        Row(
            about="New weights",
            paper="Uniform; the range is not given.",
            code="Uniform in ±1/√width of the layer, so later blocks start smaller.",
            choice="Glorot's range.",
            settings={"init": "layer_width"},
        ),
        Row(
            about="Dropout",
            paper="After every hidden layer, rate searched.",
            code="After the first one only, 0.5.",
            choice="After every hidden layer, 0.5.",
            settings={"dropout_scope": "first_layer"},
        ),
        Row(
            about="Epochs per block",
            paper="300.",
            code="200, then some without effect: they use the rejected model's optimiser.",
            choice="300, no extra ones.",
            settings={"epochs": 200},
        ),
        Row(
            about="The optimiser's state",
            paper="Not stated.",
            code="A new Adam for each block.",
            choice="A new Adam for each block.",
        ),
        Row(
            about="Weight decay",
            paper="0.0005; on what is not stated.",
            code="On all parameters, biases too.",
            choice="On all weights; `tuned` and `pagerank` on the first layer only.",
            settings={"weight_decay_scope": "first_layer"},
        ),
        Row(
            about="Loss",
            paper="Cross-entropy, or a squared error that is a sum with its own penalty, not a mean.",
            code="Cross-entropy.",
            choice="Cross-entropy; the squared error as in the paper's J₁, or as a plain mean.",
            settings={"loss": "mse", "mse_objective": "mean"},
        ),
    ],
    "What is claimed": [
        Row(
            about="Convergence",
            paper="Proved for a squared error that falls with each block; training uses cross-entropy and growth "
            "stops by accuracy.",
            code="–",
            choice="E is measured and shown at every block: with cross-entropy it mostly rises.",
            settings={"loss": "mse", "closed_form": "derived"},
        ),
        Row(
            about="The algorithm as printed",
            paper="A layer takes its own output as input, $\\epsilon_b$ is listed twice, weights are saved only "
            "when a layer is accepted.",
            code="Takes the previous layer, has two thresholds, saves after every block.",
            choice="As the text means it: the previous layer, $\\epsilon_b$ and $\\epsilon_l$, saved after "
            "every block.",
            settings={"epsilon_l": 0.001},
        ),
        Row(
            about="Size",
            paper="Â is sparse.",
            code="Dense N × N matrices: some 3 GB each on PubMed.",
            choice="Sparse throughout; HᵀL̃H is HᵀH − HᵀÂH.",
        ),
        Row(
            about="The reported accuracy",
            paper="The run that is best on validation, out of 45 settings with 20 runs each.",
            code="One run, seed 42.",
            choice="Mean ± sd over seeds of one setting. Test nodes never decide.",
        ),
        Row(
            about="Implementation",
            paper="Written in TensorFlow.",
            code="A later PyTorch port that cannot finish as published: a wrong import, a wrong device.",
            choice="Its intentions are the preset `reference`.",
            preset="reference",
        ),
    ],
}
FIRST = (
    "The metric of growth",
    "The reported accuracy",
    "Which nodes the solve fits",
    "The output layer",
    "Convergence",
)
"""What changes the results most, or what may be concluded from them."""


def show_paper() -> None:
    presets = {name: grow_link(f"`{name}`", preset=name) for name in PRESETS}
    st.markdown(
        "Where the paper contradicts itself, leaves something open, or differs from its published code "
        "(negarhdr/PGCN), and what we chose. A linked setting opens *Grow* with the other choice, to see its "
        f"effect. All choices at once are presets: {presets['paper']} is the text to the letter, "
        f"{presets['reference']} what the code is intended to do, {presets['reproduction']} our default, and "
        f"{presets['tuned']} and {presets['pagerank']} our own. The convergence argument in numbers is "
        f"{stop_link('stop 9', 'convergence')}."
    )
    by_name = {row.about: row for rows in TABLES.values() for row in rows}
    with st.container(key="paper"):
        st.markdown(f"#### The five that matter most\n\n{table([by_name[name] for name in FIRST])}")
        with st.expander(f"The other {len(by_name) - len(FIRST)}", key="paper_others"):
            for title, rows in TABLES.items():
                others = [row for row in rows if row.about not in FIRST]
                st.markdown(f"#### {title}\n\n{table(others)}")


def table(rows: list[Row]) -> str:
    """Return rows as a markdown table."""
    lines = ["| | the paper | its code | ours | setting |", "|---|---|---|---|---|"]
    lines += [f"| **{row.about}** | {row.paper} | {row.code} | {row.choice} | {link_of(row)} |" for row in rows]
    return "\n".join(lines)


def link_of(row: Row) -> str:
    """Return a link that opens Grow with the choice that is not ours."""
    if row.preset != DEFAULT_PRESET:
        return grow_link(f"`preset={row.preset}`", preset=row.preset)
    if not row.settings:
        return "no setting"
    names = " ".join(f"`{name}={as_text(value)}`" for name, value in row.settings.items())
    return grow_link(names, **row.settings)
