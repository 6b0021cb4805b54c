"""The dashboard. Besides ``app.py`` and ``pages/``, the only place that imports streamlit; never torch at start."""
