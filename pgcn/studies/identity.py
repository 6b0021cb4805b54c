"""Ids of questions: the same question has the same id, today and in later versions. Standard library only."""

import hashlib
import json
from typing import Any

from pgcn.config import IDENTITY


def question_id(**asked: Any) -> str:
    """Return the id of a question in plain values."""
    text = json.dumps({**asked, "pgcn": IDENTITY}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
