"""Names that somebody might give to a run, a graph or a setting to have a page do something."""

ELSEWHERE = "http://pgcn.invalid"

NAMES = [
    f"![x]({ELSEWHERE}/p.png)",
    f"[click]({ELSEWHERE})",
    f"<{ELSEWHERE}>",
    f"see {ELSEWHERE}/a_b?c=d and www.pgcn.invalid",
    "somebody@pgcn.invalid",
    "[x][y] and [y]: http://pgcn.invalid",
    f'<img src="{ELSEWHERE}/i.png" onerror="window.hostile=1">',
    "<script>window.hostile=1</script>",
    "</script><script>window.hostile=1</script>",
    "<!--<script>",
    f'<a href="{ELSEWHERE}">b</a>',
    "**bold** _it_ `code` ~~gone~~ ~sub~",
    "$x^2$ and $$y$$ \\(z\\)",
    ":red[text] :material/delete: :smile: :streamlit: :blue-badge[x] :small[x]",
    "# heading",
    "1. list",
    "- item",
    "+ item",
    "> quote",
    "---",
    "a | b |",
    "&lt;b&gt; &amp; &#33;",
    "\\*stars\\* \\\\ end\\",
    "^[note] [^1]",
    "%{x} %{fullData.name} <b>bold</b><br>x",
    "https://pgcn.invalid/(a)[b]",
    "open :material/ and x:y:z -> <- -- <-> >= ~= ...",
    "ftp://pgcn.invalid//x mailto:a@pgcn.invalid xmpp:b@pgcn.invalid",
]
"""Each is at most 100 printable characters, as the name of a graph."""
