"""The PGCN explorer: ``streamlit run app.py``."""

from importlib.metadata import version

import streamlit as st

st.set_page_config(page_title="PGCN explorer", page_icon=":material/hub:")
st.title("PGCN explorer")
st.write("Watch, understand and use graph convolutional networks that grow their own topology, block by block.")
st.caption(f"Version {version('pgcn')}")
st.info(
    "The pages that show a network grow, its features and the difficulty study are on their way. "
    "The core is here: use it from the command line or from Python.",
    icon=":material/construction:",
)
st.code("pgcn grow --dataset cora\npgcn grow --runs 20\npgcn gcn --runs 20\npgcn --help", language="bash")
