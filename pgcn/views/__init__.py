"""Events and results as JSON values for the browser: replays, figures, reports, exports. No streamlit here."""
