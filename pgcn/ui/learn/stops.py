"""The stops of the tour: their text, and their equation with a part marked. No streamlit, no torch."""

import inspect
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Stop:
    """One stop: ``short`` names it in the row of stops, ``title`` above the text.

    ``lead`` says in a sentence what the equation below it means; ``text`` explains the rest.
    """

    short: str
    title: str
    lead: str = ""
    text: str = ""
    equation: str = ""
    """LaTeX; ⟦…⟧ marks the part that the text is about."""

    @property
    def sentence(self) -> str:
        return inspect.cleandoc(self.lead)

    @property
    def words(self) -> str:
        return inspect.cleandoc(self.text)

    @property
    def latex(self) -> str:
        """The equation with its marked parts on a background that is readable in light and dark mode."""
        return self.equation.replace("⟦", r"\colorbox{#e69f0066}{$\displaystyle ").replace("⟧", "$}")


STOPS: dict[str, Stop] = {
    "graph": Stop(
        short="Graph",
        title="A graph, and very few labels",
        lead="""
        Each node is a short text, given by the words in it: a row of **X**. Edges say which texts refer to each
        other: the matrix **A**. For six nodes the class is known: the rows of $T_L$.
        """,
        equation=r"X\in\mathbb R^{36\times 8},\quad A\in\{0,1\}^{36\times 36},\quad ⟦T_L\in\{0,1\}^{6\times 3}⟧",
        text="""
        The task: find the class of all other nodes. A node that refers to many texts of one topic is probably of
        that topic too; *graph convolution* makes use of this. How many neurons and layers it needs is not known
        in advance. **PGCN lets the network grow until growing no longer helps**; the next stops show how. All
        numbers are computed live.
        """,
    ),
    "normalise": Stop(
        short="Â",
        title="Why neighbours are weighted",
        lead="""
        A node takes the values of its neighbours and its own, each divided by the square roots of both degrees.
        """,
        equation=r"""
        \begin{gathered}\hat A=⟦\tilde D^{-1/2}⟧\,(A+I)\,⟦\tilde D^{-1/2}⟧\\[6pt]
        \tilde d_i=1+\deg(i),\qquad \hat A_{ij}=\frac{1}{\sqrt{\tilde d_i\,\tilde d_j}}\end{gathered}""",
        text="""
        Without the division, multiplying by **A + I**, every node gets the plain sum. Do that a few times and the
        numbers explode, fastest where nodes have many neighbours (left).

        The division keeps them bounded: the largest eigenvalue of **Â** is exactly 1, so no number of steps makes
        a signal explode (right). On both sides every node starts with the value 1; the area of a node is its value
        (capped on the left: the curve shows the rest).
        """,
    ),
    "convolution": Stop(
        short="Convolution",
        title="A graph convolution, node by node",
        lead="""
        The neighbours' words, weighted by a row of Â and summed, are a node's input; each neuron scores it, and a
        score below zero becomes zero (ReLU).
        """,
        equation=r"""
        \begin{gathered}H=\mathrm{ReLU}\big(⟦\hat A X⟧\,W\big)\\[4pt]
        h_i=\mathrm{ReLU}\Big(\textstyle\sum_j \hat A_{ij}\,x_j\,W\Big)\end{gathered}""",
        text="""
        **Choose a node** and step through it. Its row of Â says which nodes it listens to, and how much. The sum is
        a row of **ÂX**. Each neuron has a column of **W** that says which words it responds to.

        The three neurons are a *block*. W is random here: this is how a block starts. X is fixed, so ÂX is
        computed once for all epochs.
        """,
    ),
    "readout": Stop(
        short="Readout",
        title="The readout is solved, not learnt",
        lead="""
        Given the hidden values **H** of a random block, the best linear readout **O** needs no training: it is a
        least-squares problem, solved by a 3 × 3 system.
        """,
        equation=r"""
        \begin{gathered}O=\Big(H^\top\big(I+c\tilde L\big)H+⟦\tfrac{1}{\lambda_1}I⟧\Big)^{-1}H_L^\top T_L\\[4pt]
        Y=HO,\qquad c=\tfrac{\lambda_2}{\lambda_1N^2}\end{gathered}""",
        text="""
        **λ₁** weighs the labels against keeping **O** small: **move it**. With small λ₁ the diagonal dominates and
        O shrinks towards zero; with large λ₁ O grows until it fits as well as it can.

        The predictions hardly change; the *size* of O does, and with it how confident fine-tuning starts. There
        is a smoothness term c L̃, but with the paper's 1/N² it is far too small to matter.
        """,
    ),
    "tuning": Stop(
        short="Fine-tuning",
        title="Fine-tuning moves the outputs",
        lead="""
        Now all weights are trained together, so that the six labelled nodes get a high probability for their own
        class.
        """,
        equation=r"\min_{⟦W,\,O⟧}\;-\frac{1}{n_L}\sum_{i\in L}\log\,\mathrm{softmax}\big(h_i O\big)_{y_i}",
        text="""
        Each mark in the triangle is a node, placed by its class probabilities: undecided in the middle, certain in
        a corner. After the solve all are in the middle; then the labelled nodes (ringed) of topics 0 and 1
        separate, and **others follow, because they share neurons and neighbours**.

        Topic 2 stays in the middle: ReLU leaves its two labelled nodes with hidden values of nearly zero, so
        there is hardly any gradient. The training loss keeps falling, the validation loss turns and rises. Three
        neurons are not enough.
        """,
    ),
    "block": Stop(
        short="A block",
        title="A new block joins",
        lead="""
        The network grows by three more neurons: new random columns of W beside the trained ones.
        """,
        equation=r"W=\big[\,W_1,\dots,W_{b-1},\;⟦W_b\sim U(-a,a)⟧\,\big]",
        text="""
        **The trained columns keep their values**; nothing learnt is lost. The whole readout is solved again, since
        old and new neurons share the work. Then everything is fine-tuned, old columns too.

        A column is a neuron: above its input weights, below its output weights. Watch n4 of the second block: it
        learns topic 2, which no neuron had, and all six labelled nodes are right. If a block is rejected (last
        frame), W and O are restored exactly.
        """,
    ),
    "test": Stop(
        short="The test",
        title="Is the block accepted?",
        lead="""
        A block that improves validation accuracy 𝒜 by a share of less than $\\epsilon_b$ is rejected.
        """,
        equation=r"""
        r_b=\frac{\mathcal A_b-\mathcal A_{b-1}}{\mathcal A_{b-1}}\;\;⟦<\;\epsilon_b⟧
        \;\Rightarrow\;\text{reject}""",
        text="""
        Then its layer stops growing. **Move** $\\epsilon_b$: the network is grown again for each value, because one
        different decision changes all later ones.

        The first block of a layer has nothing to be compared with and is always accepted. With ten validation
        nodes one node is worth 10 points: steps are coarse, and chance plays a part. Real graphs have hundreds.
        """,
    ),
    "layers": Stop(
        short="Layers",
        title="A new layer, and when it stops",
        lead="""
        A new layer takes the **hidden values of the layer before** as its input; a layer that improves accuracy by
        less than $\\epsilon_l$ ends growth.
        """,
        equation=r"""
        \begin{gathered}H^{(l)}=\mathrm{ReLU}\big(\hat A\,⟦H^{(l-1)}⟧\,W^{(l)}\big)\\[4pt]
        r_l=\frac{\mathcal A_l-\mathcal A_{l-1}}{\mathcal A_{l-1}}<\epsilon_l
        \;\Rightarrow\;\text{stop}\end{gathered}""",
        text="""
        When a block is rejected, a new layer begins. A node now sees neighbours of neighbours, and the readout
        moves to the new layer.

        When the layer stops growing, it is compared as a whole with the network before it. If it did not help,
        all of it is rejected and **growth ends**: that is the only way to end besides the limits. Watch the run
        to its end. This seed was chosen because everything happens in it; of seeds 0 to 9, five accept a second
        layer.
        """,
    ),
    "convergence": Stop(
        short="Convergence",
        title="Does it converge? Argument and measurement",
        lead="""
        The paper's appendix argues that the error E never rises: the best weights of a new block can only lower it
        (right ≤), and fine-tuning lowers it further (left ≤).
        """,
        equation=r"""
        \begin{gathered}E_{k+1}\;⟦\le⟧\;\mathcal E_{k+1}\;⟦\le⟧\;E_k\\[4pt]
        E=\tfrac12\lVert O\rVert^2+\tfrac{\lambda_1}{2}\lVert H_LO-T_L\rVert^2\end{gathered}""",
        text="""
        A new block with its outgoing weights at zero changes nothing, so the *best* weights cannot be worse. E
        falls and is never negative: it converges.

        The argument needs a solve and a training that both minimise **E**. Cross-entropy minimises something
        else: measured, E *rises* with every accepted block. The printed readout fits all nodes and does not
        minimise E either: the solve raises it. Only squared error with the derived readout behaves as argued.
        That the *accuracy* converges has not been proved.
        """,
    ),
    "fair": Stop(short="Compare", title="How to compare methods fairly"),
    "break": Stop(short="Break it", title="Break it"),
    "paper": Stop(short="Paper", title="Where the paper contradicts itself, or its code"),
    "own": Stop(short="Your graph", title="Bring your own graph"),
    "exercises": Stop(short="Exercises", title="Exercises, with links to set them up"),
}
FIRST = next(iter(STOPS))
