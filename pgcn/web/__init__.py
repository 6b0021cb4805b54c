"""All JavaScript and CSS: the components serve this folder, and exported pages hold its files.

player/       the canvas, curves and transport of a run; map/ its 2-D embeddings
lesson/       the pictures of the tour
components/   what Streamlit mounts: each hands its values to one of the above
"""

from pathlib import Path

WEB = Path(__file__).parent
