"""What embeddings will take, from what is known of the graph before anything is loaded. No torch.

Measured on two cores: t-SNE takes 6 KB and 0.5 ms for each node at a perplexity of 30, half of that time from the
embedding before it, and keeps three times as many neighbours; UMAP takes a third of both after it has compiled
itself; PCA next to nothing.
"""

from pgcn.embeddings.plan import EmbeddingConfig, Plan
from pgcn.embeddings.reduce import PERPLEXITY
from pgcn.embeddings.steps import ALL_UP_TO, SAMPLE
from pgcn.execution.memory import Memory, graph_memory

NODE_BYTES = {"tsne": 1100, "umap": 2500, "pca": 500}
NODE_SECONDS = {"tsne": 3e-4, "umap": 3e-4, "pca": 1e-5}
NEIGHBOUR_BYTES, NEIGHBOUR_SECONDS = 60, 3.4e-6
"""Of each neighbour of a node that t-SNE keeps."""
PAIR_SECONDS = 2e-9
"""Of each pair of nodes, whose input features are compared to find the nearest."""
FEATURE_BYTES = 12
"""Of every feature of every node, 0 or not: networks are applied to dense features, which are copied once."""
UMAP_COMPILES = 20.0
THIRD_DIMENSION = 1.7
"""Three dimensions take so many times as long as two: 3.3 s of computing for Cora's logits by t-SNE, not 1.9 s."""


def shown_nodes(count: int, nodes: int | str) -> int:
    """Return how many of so many nodes will be shown."""
    if nodes == "all" or (nodes == "auto" and count <= ALL_UP_TO):
        return count
    return min(count, SAMPLE if nodes == "auto" else int(nodes))


def embedding_memory(plan: Plan, config: EmbeddingConfig) -> Memory:
    """Return how much memory it is estimated to take to make the embeddings of a plan."""
    started = plan.started
    shown = shown_nodes(started.nodes, config.nodes)
    dense = (started.recipe or {}).get("dims") is not None
    features = FEATURE_BYTES * (started.nodes + shown) * started.features
    nodes = shown * (NODE_BYTES[config.method] + NEIGHBOUR_BYTES * kept_neighbours(shown, config))
    return Memory(graph_memory(started, dense=dense) + features + nodes)


def kept_neighbours(shown: int, config: EmbeddingConfig) -> int:
    """Return how many neighbours of each node are kept beside what every node takes."""
    if config.method != "tsne":
        return 0
    return min(shown, int(3 * (config.perplexity or PERPLEXITY)))


def embedding_seconds(plan: Plan, config: EmbeddingConfig, missing: int) -> float:
    """Return about how long it takes to make so many embeddings that are missing of a plan."""
    shown = shown_nodes(plan.started.nodes, config.nodes)
    from_nothing = min(missing, 2)  # of the input, and of the first step
    turns = from_nothing + (missing - from_nothing) / 2
    pairs = PAIR_SECONDS * shown**2 if config.method != "pca" else 0.0
    node = NODE_SECONDS[config.method] + NEIGHBOUR_SECONDS * kept_neighbours(shown, config)
    node *= THIRD_DIMENSION if config.dimensions == 3 else 1.0
    return (UMAP_COMPILES if config.method == "umap" else 0.0) + pairs + turns * node * shown
