"""What is sent of embeddings: every point and every logit, as near as 16 bits allow."""

import base64

import numpy as np

from pgcn.views.embedding import logit_values, point_values


def unpacked(text, kind):
    return np.frombuffer(base64.b64decode(text), dtype=np.dtype(kind).newbyteorder("<")).astype(float)


def test_the_farthest_point_is_sent_where_it_is():
    generator = np.random.default_rng(0)
    for dimensions in (2, 3):
        points = generator.normal(size=(500, dimensions))
        points[7] = 300.0  # an outlier: thirty times as far as the others
        sent = point_values(points)
        shown = sent["reach"] * unpacked(sent["map"], np.int16).reshape(-1, dimensions) / 32767
        centred = points - points.mean(axis=0)
        true = centred / np.sqrt(np.square(centred).sum(axis=1).mean())
        assert sent["dimensions"] == dimensions and np.abs(shown - true).max() <= sent["reach"] / 32767
    assert point_values(np.zeros((5, 2)))["reach"] == 1.0


def test_logits_are_sent_to_a_65535th_of_their_range():
    logits = np.random.default_rng(1).normal(size=(200, 7)).astype(np.float32)
    sent = logit_values(logits)
    low, high = sent["range"]
    shown = low + (high - low) * unpacked(sent["logits"], np.uint16).reshape(-1, 7) / 65535
    assert np.abs(shown - logits).max() <= (high - low) / 65535
    assert logit_values(np.full((3, 2), np.nan)) == {}  # training has diverged: there is nothing to compare
    assert set(unpacked(logit_values(np.ones((3, 2)))["logits"], np.uint16)) == {0}
