"""One line above the embeddings: what is shown, what is being computed, or what could be."""

import streamlit as st

from pgcn.embeddings.plan import Plan
from pgcn.execution.jobs import Job
from pgcn.numbers import counted
from pgcn.ui.access import why_not_control, why_not_start
from pgcn.ui.embedding.jobs import compute, estimate_words, stop
from pgcn.ui.embedding.session import EmbeddingSession
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.text import plain
from pgcn.views.embedding import run_words, sample_words

ABOUT_UMAP = "UMAP compiles itself when first used on a server: its first embedding takes about half a minute."


def unknown_logits(session: EmbeddingSession, plan: Plan) -> int:
    """Return how many networks have an embedding but no logits: an earlier version did not store them."""
    there = [planned for planned in plan.frames if planned.logits and planned.key in session.cached]
    return sum(planned.logits not in session.cached for planned in there)


def show_status(session: EmbeddingSession, job: Job | None, plan: Plan, missing: int) -> None:
    """Say in one line what is shown or going on."""
    if job is not None and job.error:
        show_error(job.error)
        return
    total = len(plan.frames)
    done = total - missing
    if not missing and not unknown_logits(session, plan):
        words = f"{run_words(plan)}: {sample_words(session.cached[plan.nodes_key], session.config.method)}"
        live = " In training: new steps appear as blocks are accepted." if plan.run.status == "running" else ""
        name = f"{plan.run.name} · " if plan.run.name else ""
        st.markdown(f":small[{plain(f'{name}{words}.{live}')}]")
        return
    with st.container(key="embedding_status"):
        if not is_running(job) or job.stopping:
            show_offer(session, plan, missing)
            return
        bar, button = st.columns([8, 1], vertical_alignment="center")
        bar.progress(done / total, text=plain(status_words(session, job, done, total)))
        why = why_not_control(job)
        click = {"on_click": stop, "args": (session,), "disabled": bool(why), "help": why or None}
        button.button("Stop", icon=":material/stop:", key="embedding_stop", width="stretch", **click)


def show_offer(session: EmbeddingSession, plan: Plan, missing: int) -> None:
    """Offer to compute what is missing."""
    total, bare = len(plan.frames), unknown_logits(session, plan)
    because = f"{plain(session.ended_because)} " if session.ended_because else ""
    if missing:
        takes = estimate_words(session, plan, missing)
        words = f"{total - missing} of {total} embeddings are ready; the rest takes {takes}."
    else:
        words = f"The logits of {counted(bare, 'network')} were not stored, so nearest nodes cannot be shown."
    label = "Compute the rest" if missing < total else "Compute"
    why = why_not_start()
    click = {"on_click": compute, "args": (session, plan), "disabled": bool(why), "help": why or None}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{because}{words}")
        st.button(label, icon=":material/play_arrow:", key="embedding_resume", type="primary", **click)


def status_words(session: EmbeddingSession, job: Job | None, done: int, total: int) -> str:
    if job is None or job.status == "queued":
        return "Waiting for a free worker…"
    words = f"Embedding {done + 1} of {total}"
    last = job.events()[-1:]
    if last:
        event = last[0].event
        words += f" · {getattr(event, 'title', '')} · {100 * getattr(event, 'share', 1.0):.0f} %"
    elif job.doing:
        words += f" · {job.doing}"
    if session.config.method != "umap" or done >= 2:
        return words
    return f"{words}{'' if words.endswith('…') else '.'} {ABOUT_UMAP}"
