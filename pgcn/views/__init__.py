"""Events and results as plotly figures. No streamlit here."""
