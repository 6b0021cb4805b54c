"""A teacher's page: questions, links that set them up, and answers with measured numbers."""

import inspect
from dataclasses import dataclass

import streamlit as st

from pgcn.ui.learn_links import grow_link, stop_link
from pgcn.ui.learn_stops import Stop

TEN_SEEDS = (
    "Cora, public split, preset `reproduction`, seeds 0 to 9, mean ± sd, measured by "
    "`pgcn grow --runs 10 --reproducible`"
)

FEW_FEATURES = {"preset": "tuned", "split": "fraction:0.5", "block_width": 10, "epochs": 60}


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question, the links that set it up, and the answer."""

    title: str
    links: tuple[str, ...]
    question: str
    answer: str


EXERCISES = [
    Exercise(
        title="Who is heard?",
        links=(stop_link("stop 3, node 5", "convolution", node=5),),
        question="""
        A network has two hidden layers and a linear readout. How many of the 36 nodes can change the output of
        node 5? How many if the readout is a graph convolution as well?
        """,
        answer="""
        Each convolution reaches one hop further. Within two hops of node 5 lie 15 nodes, itself included;
        within three hops 30. One hop reaches only the 5 of its row of Â. (Count with the row of Â of each
        neighbour.)
        """,
    ),
    Exercise(
        title="How fast does it explode?",
        links=(stop_link("stop 2 at k = 6", "normalise", at=6),),
        question="""
        By which factor does the largest value grow from step to step without normalisation, and which property
        of the graph sets it? Why does the largest value with Â not stay at 1 exactly?
        """,
        answer="""
        From k = 5 to 6 it grows from 10,236 to 59,705, a factor of 5.83, near the largest eigenvalue 5.73 of A
        + I. Â's largest eigenvalue is 1, its eigenvector the roots of d̃: values settle in proportion to √d̃,
        so well-joined nodes end above 1 (1.42 the highest) and others below.
        """,
    ),
    Exercise(
        title="Does λ₁ matter?",
        links=(
            stop_link("stop 4 at λ₁ = 0.1", "readout", at=4),
            stop_link("at λ₁ = 10", "readout", at=12),
            grow_link("Cora with λ₁ = 0.1", lambda1=0.1),
            grow_link("with λ₁ = 10", lambda1=10.0),
        ),
        question="""
        Compare the readout at λ₁ = 0.1 and 10: its size, and how many nodes are right. Then grow on Cora with
        both. How much of the difference is left after fine-tuning?
        """,
        answer=f"""
        ‖O‖ grows 36-fold, from 0.035 to 1.254; right are 7 and 9 of 20 test nodes, 4 of 10 validation nodes at
        both. After fine-tuning hardly anything is left: test accuracy 77.4 ± 1.1 % with λ₁ = 0.1, 77.5 ± 1.2 %
        with 1, 78.4 ± 1.1 % with 10, within twice the standard error ({TEN_SEEDS}).
        """,
    ),
    Exercise(
        title="A threshold is a cliff",
        links=(stop_link("stop 7 at ε = 0.22", "test", at=5), stop_link("at ε = 0.26", "test", at=6)),
        question="""
        Between ε = 0.22 and 0.26 the network shrinks from 6 → 3 to a single block, and validation accuracy
        falls from 70 to 40 %. What happened?
        """,
        answer="""
        Block 1.2 raised validation accuracy from 4 to 5 of 10 nodes: r = 0.25. Below that threshold it stays,
        and with six neurons the second layer helps (r = 0.4). Above it the block goes, and on three neurons a
        second layer makes things worse: growth has ended. One decision changes all later ones.
        """,
    ),
    Exercise(
        title="Word for word",
        links=(grow_link("Grow with preset `paper`", preset="paper"), grow_link("with `reproduction`")),
        question="""
        The paper's text lets the labelled nodes decide. Say beforehand what the network on Cora will look like,
        then grow it. Which line of the curves tells why it stopped?
        """,
        answer="""
        Training accuracy reaches 100 %; no later block can improve it, so one layer is all. Test accuracy
        73.1 ± 4.2 % with `paper`, 77.6 ± 1.1 % with `reproduction` (Cora, public split, seeds 0 to 19, mean ±
        sd).
        """,
    ),
    Exercise(
        title="Small steps or large ones?",
        links=(grow_link("blocks of 1", block_width=1), grow_link("of 5"), grow_link("of 20", block_width=20)),
        question="""
        Grow with blocks of 1, 5 and 20 neurons. Small blocks could find the same network in more steps. Do
        they?
        """,
        answer=f"""
        No. Test accuracy 74.5 ± 1.6 %, 77.5 ± 1.2 % and 78.6 ± 0.8 %, with 10,700, 26,100 and 59,100 weights
        ({TEN_SEEDS}). One neuron seldom helps by itself, so growth gives up early: the rule is greedy. Large
        blocks do better and pay in weights.
        """,
    ),
    Exercise(
        title="One more propagation",
        links=(
            grow_link("linear readout"),
            grow_link("graph readout, solved for it", readout="graph", solve_for="propagated"),
        ),
        question="""
        Let the readout be a graph convolution too. What is gained, and does the network grow smaller for it?
        """,
        answer=f"""
        Test accuracy rises from 77.5 ± 1.2 % to 79.8 ± 0.9 %, with 22,300 ± 7,900 weights instead of 26,100 ±
        6,100: better, not clearly smaller ({TEN_SEEDS}). The outputs of neighbours are averaged once more.
        """,
    ),
    Exercise(
        title="Impatience",
        links=(grow_link("Grow with ε_b = 0.05", epsilon_b=0.05), stop_link("Break it, ε = 0.3", "break")),
        question="""
        A block must now raise validation accuracy by 5 % of what it is. Which part of the network suffers: its
        width or its depth?
        """,
        answer=f"""
        Its width: in the runs of seeds 5 to 9 no layer gets beyond two blocks. The networks have
        15,900 ± 3,100 weights instead of 26,100 ± 6,100, test accuracy 75.6 ± 1.5 % instead of 77.5 ± 1.2 %
        ({TEN_SEEDS}). Layers are judged by ε_l, which stayed as it was.
        """,
    ),
    Exercise(
        title="Depth out of need",
        links=(
            grow_link("30 random features", **FEW_FEATURES, dims=30),
            grow_link("all 1,433", **FEW_FEATURES),
        ),
        question="""
        Half of Cora's nodes are labelled. Grow once on all its features and once on 30 random projections of them.
        Which network is deeper, and which has more weights?
        """,
        answer="""
        With 30 features it grew 6, 7 and 6 layers and had 13,000 ± 3,100 weights, test accuracy 81.1 ± 0.9 %; with
        all of them 2, 3 and 2 layers, 53,600 ± 16,600 weights, 88.1 ± 0.1 % (Cora, fraction:0.5, seeds 0 to 2). The
        first layer holds most weights, one for each feature and neuron. Poor features are made up for by hearing
        neighbours further off, in part.
        """,
    ),
    Exercise(
        title="Which inequality fails?",
        links=(stop_link("stop 9", "convergence", at=8),),
        question="""
        The appendix proves E_{k+1} ≤ 𝓔_{k+1} ≤ E_k. For each of the three panels say which of the two fails,
        and why.
        """,
        answer="""
        Cross-entropy: the first. Fine-tuning does not minimise E; the outputs, and O with them, grow (E rises
        in 3 of 3 kept blocks). Squared error, readout as printed: the second. The printed solve fits zero to
        all unlabelled nodes, which E does not ask for (it raises E in 2 of 2). Squared error, derived readout:
        neither (E falls in 3 of 3). Synthetic graph of the tour, run seed 1; other seeds may differ.
        """,
    ),
    Exercise(
        title="The last bit",
        links=(grow_link("Cora, seed 0"),),
        question="""
        Grow seed 0 on Cora and read the margins: by how many of the 500 validation nodes did each block stay or go?
        Then press *How stable is it?*: the same seed, 20 times, the initial weights changed by a ten-millionth. Is
        the topology a property of the data, of the seed, or of the last bit?
        """,
        answer="""
        Of the last bit, to a good part. None of its 10 decisions hung on a single node, and yet only 7 of the 20
        runs have its topology 15 → 15; there are 11 different ones, from 15 to 15 → 15 → 30. Training amplifies the
        last bit until some node changes sides. Test accuracy is 77.5 ± 1.2 %, from 75.7 to 79.3 %: as far apart as
        different seeds (77.5 ± 1.2 %). So a topology found once is one of many that do as well (Cora, public split,
        preset `reproduction`, measured by `pgcn sensitivity --reproducible`).
        """,
    ),
    Exercise(
        title="Is it chance?",
        links=(grow_link("Grow, then press 20 seeds"),),
        question="""
        Two settings differ by one point of test accuracy; each has a standard deviation of 1.2 points over
        seeds. How many seeds does each need before the difference is twice its standard error?
        """,
        answer="""
        The difference of two means over n seeds has a standard error of 1.2·√(2/n). Twice that is below 1 from
        n = 12 on. With one run each, as papers often have it, a point says nothing. And all of it is one split.
        """,
    ),
]


def show_exercises(stop: Stop) -> None:
    st.markdown(f"### {stop.title}")
    st.markdown(
        "Each begins with links that open what it is about, in a new tab, with all settings in the address: paste "
        "them into slides as they are. Every stop of the tour has an address too, `?stop=…`; the place of a slider "
        "is in it."
    )
    for number, exercise in enumerate(EXERCISES, start=1):
        with st.container(border=True):
            st.markdown(f"**{number}. {exercise.title}** · " + " · ".join(exercise.links))
            st.markdown(inspect.cleandoc(exercise.question))
            with st.expander("Answer"):
                st.markdown(inspect.cleandoc(exercise.answer))
