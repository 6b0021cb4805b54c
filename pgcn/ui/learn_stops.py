"""The stops of the tour: what is said, and the equation with the part spoken of marked. No streamlit, no torch."""

import inspect
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One stop: ``short`` stands in the row of steps, ``title`` above the text; ⟦…⟧ marks part of ``equation``."""

    short: str
    title: str
    text: str = ""
    equation: str = ""

    @property
    def words(self) -> str:
        return inspect.cleandoc(self.text)

    @property
    def latex(self) -> str:
        """The equation with its marked parts on a ground that leaves them readable in light and dark."""
        return self.equation.replace("⟦", r"\colorbox{#e69f0066}{$\displaystyle ").replace("⟧", "$}")


STOPS: dict[str, Stop] = {
    "graph": Stop(
        short="Graph",
        title="A graph, and very few labels",
        equation=r"X\in\mathbb R^{36\times 8},\quad A\in\{0,1\}^{36\times 36},\quad ⟦T_L\in\{0,1\}^{6\times 3}⟧",
        text="""
        Each node is a small text, given by the words in it: a row of **X**. Edges say which texts refer to each
        other: the matrix **A**. For six nodes we know the class: the rows of $T_L$, a one in the column of
        the class.

        The task: find the class of all the others. A node that refers to many texts of one topic is probably of
        that topic too, and *graph convolution* makes use of it. How many neurons and layers it needs nobody
        knows beforehand. **PGCN lets the network grow until growing does not help any more**; the next stops
        show how, with every number computed while you look.
        """,
    ),
    "normalise": Stop(
        short="Â",
        title="Why neighbours are weighed",
        equation=r"""
        \begin{gathered}\hat A=⟦\tilde D^{-1/2}⟧\,(A+I)\,⟦\tilde D^{-1/2}⟧\\[6pt]
        \tilde d_i=1+\deg(i),\qquad \hat A_{ij}=\frac{1}{\sqrt{\tilde d_i\,\tilde d_j}}\end{gathered}""",
        text="""
        To let nodes hear their neighbours, multiply by **A + I**: every node gets the sum of its neighbours'
        values and its own. Do that a few times and the numbers explode, fastest where nodes have many
        neighbours (left).

        Dividing by the roots of both degrees keeps them in bounds: the largest eigenvalue of **Â** is exactly
        1, so passing on, however often, never blows a signal up (right). On both sides every node starts with
        the value 1; the area of a node is its value (left, it is cut off soon: the curve tells the rest).
        """,
    ),
    "convolution": Stop(
        short="Convolution",
        title="A graph convolution, node by node",
        equation=r"""
        \begin{gathered}H=\mathrm{ReLU}\big(⟦\hat A X⟧\,W\big)\\[4pt]
        h_i=\mathrm{ReLU}\Big(\textstyle\sum_j \hat A_{ij}\,x_j\,W\Big)\end{gathered}""",
        text="""
        **Choose a node** and step through it. Its row of Â says whom it listens to, and how much. The
        neighbours' words, weighed and added, are what it hears: a row of **ÂX**. Each neuron has a column of
        **W** that says which words it likes; a score below zero becomes zero (ReLU).

        The three neurons are a *block*. W is random here: this is how a block begins. With dropout off and X
        fixed, ÂX never changes, so it is computed once for all epochs.
        """,
    ),
    "readout": Stop(
        short="Readout",
        title="The readout is solved, not learnt",
        equation=r"""
        \begin{gathered}O=\Big(H^\top\big(I+c\tilde L\big)H+⟦\tfrac{1}{\lambda_1}I⟧\Big)^{-1}H_L^\top T_L\\[4pt]
        Y=HO,\qquad c=\tfrac{\lambda_2}{\lambda_1N^2}\end{gathered}""",
        text="""
        Given the hidden values **H** of a random block, the best linear readout needs no training: it is a
        least-squares problem, solved by a 3 × 3 system. **λ₁** says how much the labels count against keeping
        **O** small: **move it**. With small λ₁ the diagonal wins and O shrinks towards zero; with large λ₁ O
        grows until it fits as well as it can.

        The decisions hardly change; the *size* of O does, and with it how sure fine-tuning starts. The
        smoothness term c L̃ is there, but with the paper's 1/N² it is far too small to matter.
        """,
    ),
    "tuning": Stop(
        short="Fine-tuning",
        title="Fine-tuning moves the outputs",
        equation=r"\min_{⟦W,\,O⟧}\;-\frac{1}{n_L}\sum_{i\in L}\log\,\mathrm{softmax}\big(h_i O\big)_{y_i}",
        text="""
        Now all weights are trained together on the six labelled nodes. Each mark in the triangle is a node, its
        place the class probabilities: in the middle undecided, in a corner certain. After the solve all sit in
        the middle; then the labelled nodes (ringed) of topics 0 and 1 begin to part, and **others follow, because
        they share neurons and neighbours**.

        Topic 2 stays in the middle: ReLU leaves its two labelled nodes with hidden values of nearly zero, and
        what is silent cannot be taught. The loss on labelled nodes falls on, that on validation nodes turns and
        rises. Three neurons are not enough.
        """,
    ),
    "block": Stop(
        short="A block",
        title="A new block joins",
        equation=r"W=\big[\,W_1,\dots,W_{b-1},\;⟦W_b\sim U(-a,a)⟧\,\big]",
        text="""
        The network grows by three more neurons: new random columns of W. **The trained columns keep their
        values**; nothing learnt is lost. The readout is solved anew as a whole, since old and new neurons must
        share the work. Then everything is fine-tuned, old columns too.

        A column is a neuron: above what it listens for, below what it says. Watch n4 of the second block: it
        comes to speak for topic 2, which nobody did, and all six labelled nodes are right. If a block is taken
        back (last frame), W and O get the very numbers they had.
        """,
    ),
    "test": Stop(
        short="The test",
        title="Does the block stay?",
        equation=r"""
        r_b=\frac{\mathcal A_b-\mathcal A_{b-1}}{\mathcal A_{b-1}}\;\;⟦<\;\epsilon_b⟧
        \;\Rightarrow\;\text{take it back}""",
        text="""
        𝒜 is the accuracy on validation nodes, before and after the block. A block that improves it by less than
        $\\epsilon_b$ is rejected, and its layer grows no more. **Move** $\\epsilon_b$: for each value the
        network is really grown again, for one other decision changes all that follows.

        The first block of a layer has nothing to be compared with and comes free. With ten validation nodes one
        node is worth 10 points: steps are coarse, and luck plays a part. Real graphs have hundreds.
        """,
    ),
    "layers": Stop(
        short="Layers",
        title="A new layer, and when it stops",
        equation=r"""
        \begin{gathered}H^{(l)}=\mathrm{ReLU}\big(\hat A\,⟦H^{(l-1)}⟧\,W^{(l)}\big)\\[4pt]
        r_l=\frac{\mathcal A_l-\mathcal A_{l-1}}{\mathcal A_{l-1}}<\epsilon_l
        \;\Rightarrow\;\text{stop}\end{gathered}""",
        text="""
        When a block is rejected, a new layer begins. It listens to the **hidden values of the layer before**,
        so a node now hears neighbours of neighbours. The readout moves to the new layer.

        When the layer grows no more, it is judged as a whole against the network before it. If it did not help,
        all of it is rejected and **growth has ended**: that is the only stop besides the limits. Watch the
        run to its end. This seed was chosen because everything happens in it; of seeds 0 to 9, five keep a
        second layer.
        """,
    ),
    "convergence": Stop(
        short="Convergence",
        title="Does it converge? The argument and the measurement",
        equation=r"""
        \begin{gathered}E_{k+1}\;⟦\le⟧\;\mathcal E_{k+1}\;⟦\le⟧\;E_k\\[4pt]
        E=\tfrac12\lVert O\rVert^2+\tfrac{\lambda_1}{2}\lVert H_LO-T_L\rVert^2\end{gathered}""",
        text="""
        The paper's appendix argues: a new block with its outgoing weights at zero changes nothing, so the
        *best* weights can only lower E (right ≤); fine-tuning lowers it further (left ≤). E falls and is never
        negative: it converges.

        The argument needs a solve and a training that both minimise **E**. Cross-entropy minimises something
        else: measured, E *rises* with every kept block. The printed readout fits all nodes, not E either: the
        solve raises it. Only squared error with the derived readout does as the argument says. That the
        *accuracy* converges nobody proved.
        """,
    ),
    "break": Stop(short="Break it", title="Break it"),
    "paper": Stop(short="Paper", title="Where the paper contradicts itself, or its code"),
    "exercises": Stop(short="Exercises", title="Exercises, with what sets them up"),
}
FIRST = next(iter(STOPS))
