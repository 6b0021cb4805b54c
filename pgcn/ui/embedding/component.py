"""The components that show the embeddings of a run, updated in place."""

from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.web import EMBEDDING, style

EMBEDDING_CODE = served("components/embedding.js", "components/theme.js", *EMBEDDING)
ITERATE_CODE = served("components/iterate.js")
STYLE = style("embedding")

_embedding = st.components.v2.component(
    "pgcn_embedding", html="<div></div>", css=STYLE, js=LOADER, isolate_styles=False
)


_iterate = st.components.v2.component("pgcn_iterate", html="<div></div>", js=LOADER, isolate_styles=False)


def show_embedding(replay: dict[str, Any], key: str) -> None:
    """Show embeddings step by step, or their continuation in the component that has this key."""
    _embedding(data=[EMBEDDING_CODE, replay], key=key)


def show_iterate(iterate: dict[str, Any] | None, key: str) -> None:
    """Have the embeddings on this page show an iterate of the one in the making: it is small, they are not."""
    _iterate(data=[ITERATE_CODE, iterate], key=key)
