"""The PGCN explorer: ``streamlit run app.py``."""

import streamlit as st

from pgcn.ui.shell import PAGES

if __name__ == "__main__":  # a process that works for the app imports this file, and must not run it
    pages = [st.Page(file, title=title, default=name == "grow") for name, (file, title) in PAGES.items()]
    # Hidden: where there is little room it hides pages. open_page draws a link to each.
    st.navigation(pages, position="hidden").run()
elif __name__ == "app":  # Streamlit looks here for the server; every visit runs this file again, as above
    from pgcn.ui.middleware import MIDDLEWARE, lifespan

    app = st.App(__file__, middleware=MIDDLEWARE, lifespan=lifespan)
