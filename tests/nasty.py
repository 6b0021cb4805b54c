"""What an attacker would type: values that break what was not thought through, and how they are tried.

500 cases of each attack are in the default suite, 10,000 with ``-m attack``: six minutes, so CI leaves them out.
"""

import time

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CASES = pytest.mark.parametrize(
    "cases", [500, pytest.param(10_000, marks=[pytest.mark.attack, pytest.mark.timeout(7200)])]
)
SECONDS = 10.0
"""Of computing, within which every case must be answered: nothing large is built, however busy the machine is."""


def attack(strategy, check, cases: int) -> None:
    """Try so many cases; the same ones every time, so that a failure can be looked at again."""

    def timed(case):
        started = time.process_time()
        check(case)
        assert time.process_time() - started < SECONDS, f"slow: {case!r:.300}"

    how = {"max_examples": cases, "deadline": None, "database": None, "derandomize": True}
    settings(**how, suppress_health_check=list(HealthCheck))(given(strategy)(timed))()


def assert_sentence(error: Exception | str) -> None:
    """An error for people: some words, in one line or a few, that end and do not run on."""
    text = str(error)
    assert 10 < len(text) < 1500 and " " in text and "Traceback" not in text, text[:300]


NUMBER_TEXTS = [
    "9" * 5000,
    "-" + "9" * 5000,
    "1e308",
    "1e309",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "-0",
    "1",
    "+5",
    "2.5",
    "1_000",
    " 7 ",
    "٣",
    "²",
    "½",
    "0x10",
    "1e3",
    "10**9",
    "100000000",
    "1000000000",
    "9223372036854775807",
    "9223372036854775808",
    str(10**30),
    "4294967296",
    "true",
    "none",
    "",
    " ",
    ",",
    ",,,",
    "1,2",
    "1,1",
    "1," * 3000 + "1",
    "[]",
    "{}",
    "__class__",
    "%s%n",
    "🙂",
    "\u202eabc",
    "![x](http://host/p.png)",
    "<script>",
    "../../etc/passwd",
    "a\nb",
    "\x1b[31m",
]
TEXTS = st.one_of(st.sampled_from(NUMBER_TEXTS), st.text(max_size=30), st.integers().map(str), st.floats().map(str))

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from([10**30, -(10**30), 10**5000, 2**63 - 1, 2**63, 2**53, 1e308, 3e37, 1e38, 5e-324]),
    st.text(max_size=10),
    st.binary(max_size=10),
    st.complex_numbers(),
    st.sampled_from([np.int64(3), np.float32(2.5), np.bool_(True), object(), Ellipsis, (), [], {}, set(), np.nan]),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=4), st.lists(SCALARS, max_size=4).map(tuple))

NODES = 6
SHAPES = st.sampled_from(
    [
        (),
        (0,),
        (1,),
        (2,),
        (NODES,),
        (NODES + 1,),
        (0, 0),
        (2, 0),
        (0, 2),
        (2, 1),
        (2, 5),
        (5, 2),
        (NODES, 1),
        (1, NODES),
        (NODES, 3),
        (NODES, NODES),
        (3, NODES),
        (2, 2),
        (2, 3, 4),
        (1, 1),
    ]
)
DTYPES = st.sampled_from(
    [
        bool,
        np.int8,
        np.uint8,
        np.int32,
        np.int64,
        np.uint64,
        np.float16,
        np.float32,
        np.float64,
        np.longdouble,
        np.complex128,
        object,
        "U3",
        "S3",
        "datetime64[s]",
        "timedelta64[s]",
    ]
)
ENTRIES = st.sampled_from(
    [
        0,
        1,
        2,
        -1,
        -2,
        -100,
        5,
        6,
        7,
        1.9,
        0.5,
        np.nan,
        np.inf,
        -np.inf,
        1e38,
        -3e38,
        1e39,
        1e300,
        1e-300,
        2**31,
        2**62,
        2**63 - 1,
        10**18,
    ]
)


@st.composite
def arrays(draw):
    """An array of any shape and type with nasty entries, perhaps masked, sparse, a tensor, a list."""
    shape, dtype = draw(SHAPES), draw(DTYPES)
    size = int(np.prod(shape))
    entries = draw(st.lists(ENTRIES, min_size=size, max_size=size))
    with np.errstate(all="ignore"):
        try:
            array = np.array(entries, dtype=float).astype(dtype).reshape(shape)
        except (ValueError, TypeError, OverflowError):
            array = np.zeros(shape, dtype=np.int64)
    form = draw(st.sampled_from(FORMS))
    with np.errstate(all="ignore"):
        return form(array)


def masked(array):
    return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) % 2 == 0)


def as_tensor(array):
    return torch.from_numpy(array.copy()) if array.dtype.kind in "biufc" and array.dtype.itemsize < 16 else array


def as_sparse(form):
    def convert(array):
        return form(array.astype(float)) if array.ndim == 2 and array.dtype.kind in "biuf" else array

    return convert


def damaged(array):
    """A sparse matrix that points outside of itself."""
    matrix = sp.csr_array(np.eye(NODES))
    matrix.indices = matrix.indices.copy()
    matrix.indices[-1] = 1000
    return matrix


def with_gradient(array):
    return torch.ones(array.shape, requires_grad=True)


FORMS = [
    lambda array: array,
    lambda array: array,
    lambda array: array,
    np.ndarray.tolist,
    masked,
    as_tensor,
    as_tensor,
    with_gradient,
    as_sparse(sp.csr_array),
    as_sparse(sp.coo_matrix),
    as_sparse(sp.csc_array),
    lambda array: as_tensor(array.astype(np.float32)).to_sparse() if array.dtype.kind in "biuf" else array,
    lambda array: as_tensor(array.astype(np.float32)).to(torch.bfloat16) if array.dtype.kind in "biuf" else array,
    damaged,
    lambda array: [[1, 2], [3]],
]
