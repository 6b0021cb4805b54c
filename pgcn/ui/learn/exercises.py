"""Exercises: questions, links that set them up, and answers with measured numbers."""

import inspect
from dataclasses import dataclass

import streamlit as st

from pgcn.ui.learn.links import grow_link, stop_link

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
        title="How far does a node see?",
        links=(stop_link("stop 3, node 5", "convolution", node=5),),
        question="""
        A network has two hidden layers and a linear readout. How many of the 36 nodes can change the output of
        node 5? How many if the readout is a graph convolution as well?
        """,
        answer="""
        Each convolution reaches one hop further. Within two hops of node 5 there are 15 nodes, itself included;
        within three hops 30. One hop reaches only the 5 in its row of Â. (Count with the row of Â of each
        neighbour.)
        """,
    ),
    Exercise(
        title="How fast does it explode?",
        links=(stop_link("stop 2 at k = 6", "normalise", at=6),),
        question="""
        By which factor does the largest value grow in each step without normalisation, and which property of
        the graph determines it? Why does the largest value with Â not stay at exactly 1?
        """,
        answer="""
        From k = 5 to 6 it grows from 10,236 to 59,705, a factor of 5.83, close to 5.73, the largest eigenvalue
        of A + I. The largest eigenvalue of Â is 1, with the eigenvector √d̃: values converge to a multiple of
        √d̃, so nodes of high degree end above 1 (the highest at 1.42) and others below.
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
        Compare the readout at λ₁ = 0.1 and 10: its size, and how many nodes it classifies correctly. Then grow on
        Cora with both. How much of the difference is left after fine-tuning?
        """,
        answer=f"""
        ‖O‖ grows 36-fold, from 0.035 to 1.254; 7 and 9 of 20 test nodes are correct, and 4 of 10 validation nodes
        for both. After fine-tuning hardly anything is left: test accuracy 77.4 ± 1.1 % with λ₁ = 0.1,
        77.5 ± 1.2 % with 1, 78.4 ± 1.1 % with 10, within twice the standard error ({TEN_SEEDS}).
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
        Block 1.2 raised validation accuracy from 4 to 5 of 10 nodes: r = 0.25. With a lower threshold it is
        accepted, and on six neurons the second layer helps (r = 0.4). With a higher one it is rejected, and on
        three neurons a second layer makes things worse: growth ends. One decision changes all later ones.
        """,
    ),
    Exercise(
        title="To the letter",
        links=(grow_link("Grow with preset `paper`", preset="paper"), grow_link("with `reproduction`")),
        question="""
        In the paper's text training accuracy decides. Predict what the network on Cora will look like, then grow
        it. Which curve shows why it stopped?
        """,
        answer="""
        Training accuracy reaches 100 %; no later block can improve it, so there is only one layer. Test accuracy
        is 73.1 ± 4.2 % with `paper` and 77.6 ± 1.1 % with `reproduction` (Cora, public split, seeds 0 to 19,
        mean ± sd).
        """,
    ),
    Exercise(
        title="Small steps or large ones?",
        links=(grow_link("blocks of 1", block_width=1), grow_link("of 5"), grow_link("of 20", block_width=20)),
        question="""
        Grow with blocks of 1, 5 and 20 neurons. Small blocks could find the same network in more steps. Do they?
        """,
        answer=f"""
        No. Test accuracy is 74.5 ± 1.6 %, 77.5 ± 1.2 % and 78.6 ± 0.8 %, with 10,700, 26,100 and 59,100 parameters
        ({TEN_SEEDS}). One neuron seldom helps by itself, so growth stops early: the rule is greedy. Large blocks do
        better, at the cost of more parameters.
        """,
    ),
    Exercise(
        title="One more propagation",
        links=(
            grow_link("linear readout"),
            grow_link("graph readout, solved for it", readout="graph", solve_for="propagated"),
        ),
        question="""
        Make the readout a graph convolution too. What is gained, and does the network get smaller?
        """,
        answer=f"""
        Test accuracy rises from 77.5 ± 1.2 % to 79.8 ± 0.9 %, with 22,300 ± 7,900 parameters instead of
        26,100 ± 6,100: better, but not clearly smaller ({TEN_SEEDS}). The outputs of neighbours are averaged once
        more.
        """,
    ),
    Exercise(
        title="A high threshold",
        links=(grow_link("Grow with ε = 0.05 for blocks", epsilon_b=0.05), stop_link("Break it, ε = 0.3", "break")),
        question="""
        A block must now improve validation accuracy by 5 % of its value. What suffers: the width of the network or
        its depth?
        """,
        answer=f"""
        Its width: in the runs of seeds 5 to 9 no layer has more than two blocks. The networks have
        15,900 ± 3,100 parameters instead of 26,100 ± 6,100, and a test accuracy of 75.6 ± 1.5 % instead of
        77.5 ± 1.2 % ({TEN_SEEDS}). Layers are judged by $\\epsilon_l$, which has not changed.
        """,
    ),
    Exercise(
        title="Depth for poor features",
        links=(
            grow_link("30 random features", **FEW_FEATURES, dims=30),
            grow_link("all 1,433", **FEW_FEATURES),
        ),
        question="""
        Half of Cora's nodes are labelled. Grow once on all its features and once on 30 random projections of them.
        Which network is deeper, and which has more parameters?
        """,
        answer="""
        With 30 features it has 6, 7 and 6 layers, 13,000 ± 3,100 parameters and a test accuracy of 81.1 ± 0.9 %;
        with all features 2, 3 and 2 layers, 53,600 ± 16,600 parameters and 88.1 ± 0.1 % (Cora, fraction:0.5, seeds
        0 to 2). Most parameters are in the first layer, one for each feature and neuron. More distant neighbours
        make up for poor features, in part.
        """,
    ),
    Exercise(
        title="Which inequality fails?",
        links=(stop_link("stop 9", "convergence", at=8),),
        question=r"""
        The appendix proves $E_{k+1}\le\mathcal E_{k+1}\le E_k$. For each of the three panels say which of the
        two fails, and why.
        """,
        answer="""
        Cross-entropy: the first. Fine-tuning does not minimise E; the outputs, and O with them, grow (E rises
        in 3 of 3 accepted blocks). Squared error, readout as printed: the second. The printed solve fits zero to
        all unlabelled nodes, which is not part of E (it raises E in 2 of 2). Squared error, derived readout:
        neither (E falls in 3 of 3). Synthetic graph of the tour, run seed 1; other seeds may differ.
        """,
    ),
    Exercise(
        title="The last bit",
        links=(grow_link("Cora, seed 0"),),
        question="""
        Grow seed 0 on Cora and read the margins: by how many of the 500 validation nodes was each block accepted or
        rejected? Then press *How stable is it?*: the same seed, 20 times, the initial weights changed by a
        ten-millionth. Is the topology a property of the data, of the seed, or of the last bit?
        """,
        answer="""
        To a large part of the last bit. None of its 10 decisions depended on a single node, and yet only 7 of the
        20 runs have its topology 15 → 15; there are 11 different ones, from 15 to 15 → 15 → 30. Training amplifies
        the last bit until the prediction of some node changes. Test accuracy is 77.5 ± 1.2 %, from 75.7 to 79.3 %:
        the same spread as over seeds (77.5 ± 1.2 %). So a topology found once is one of many that do equally well
        (Cora, public split, preset `reproduction`, measured by `pgcn sensitivity --reproducible`).
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
        n = 12 on. With one run each, as in many papers, one point means nothing. And all of this is one split.
        """,
    ),
]


def show_exercises() -> None:
    st.markdown(
        "The links open what an exercise is about in a new tab, with all settings in the address, so they can be "
        "pasted into slides. Every stop of the tour has an address too, `?stop=…`, with the position of its slider."
    )
    for number, exercise in enumerate(EXERCISES, start=1):
        with st.container(border=True):
            st.markdown(f"**{number}. {exercise.title}** · " + " · ".join(exercise.links))
            st.markdown(inspect.cleandoc(exercise.question))
            with st.expander("Answer"):
                st.markdown(inspect.cleandoc(exercise.answer))
