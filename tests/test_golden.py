"""The presets give the very networks they gave before, on every x86-64 CPU with AVX2: digests of their weights.

First seen on an Intel Emerald Rapids and on an AMD Zen 4, with torch 2.13: sha256 over the final network's tensors
in the order of their names, first 16 digits, with its topology and its validation and test accuracy.
"""

import subprocess
import sys

import pytest
import torch
from test_reproducible import promised, with_mode

GOLDEN = """
cora reproduction 0 d1989a63b4a3d656 [15, 15] 0.782 0.780
cora reproduction 1 c4ebbd749583d358 [20, 25] 0.784 0.797
cora reference 0 5552cf234e9ea616 [10] 0.782 0.792
cora reference 1 754ffd4d225d308d [15] 0.794 0.797
cora tuned 0 699ec1ae3cf2e544 [15] 0.798 0.816
cora tuned 1 5916bb1b93e824df [25] 0.798 0.822
cora paper 0 84e471b4a5b5ecbd [10] 0.738 0.746
cora paper 1 30566d6385160474 [10] 0.704 0.737
citeseer reproduction 0 861c5cbe3eb116d7 [20, 25] 0.694 0.691
citeseer reproduction 1 1eb93203b1136dc8 [25] 0.692 0.682
citeseer reference 0 f2461e4dd59a06aa [25] 0.718 0.712
citeseer reference 1 797bb29561d0bdf4 [10] 0.710 0.709
citeseer tuned 0 3a2002e6c6c6c6c6 [10] 0.714 0.708
citeseer tuned 1 98ec39c357da43c1 [15] 0.720 0.715
citeseer paper 0 4e3f3541b226045f [5] 0.624 0.643
citeseer paper 1 a319389653e052e1 [5] 0.578 0.613
pubmed reproduction 0 c1a160b5b491fbf4 [5, 10, 20] 0.770 0.786
pubmed reproduction 1 c58a7c39ddc4a74f [20, 10, 15] 0.776 0.771
pubmed reference 0 07321109030915aa [10] 0.806 0.785
pubmed reference 1 f858cbab93ee768a [5] 0.808 0.796
pubmed tuned 0 66cdb6bc48a2da84 [5] 0.798 0.791
pubmed tuned 1 485e12d96dee7feb [10] 0.798 0.787
pubmed paper 0 465360ece3e41455 [5] 0.746 0.734
pubmed paper 1 4b4c7cc472cccbc3 [5] 0.708 0.679
"""
PROBE = """
import hashlib, sys
from pgcn import grow_many, growth_preset, load_graph

graph = load_graph(sys.argv[1])
for preset in ("reproduction", "reference", "tuned", "paper"):
    for seed, run in enumerate(grow_many(graph, [growth_preset(preset, seed=seed) for seed in (0, 1)]).finish()):
        digest = hashlib.sha256()
        for _, part in sorted(run.model.state_dict().items()):
            digest.update(part.numpy().tobytes())
        scores = f"{run.scores.val_accuracy:.3f} {run.scores.test_accuracy:.3f}"
        print(graph.name, preset, seed, digest.hexdigest()[:16], list(run.topology), scores)
"""


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["cora", "citeseer", "pubmed"])
def test_every_preset_gives_the_networks_it_gave(data_dir, dataset):
    promised()
    if not str(torch.__version__).startswith("2.13."):
        pytest.skip(f"the digests are those of torch 2.13, this is torch {torch.__version__}")
    env = with_mode({}) | ({"PGCN_DATA_DIR": str(data_dir)} if data_dir else {})
    found = subprocess.check_output([sys.executable, "-c", PROBE, dataset], env=env, text=True)
    expected = [line for line in GOLDEN.strip().splitlines() if line.startswith(f"{dataset} ")]
    assert found.splitlines() == expected
