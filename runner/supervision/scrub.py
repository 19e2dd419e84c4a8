"""Take the secrets out of a spec once it can never be run again."""

from __future__ import annotations

import os

from runner.supervision import files
from runner.supervision.redaction import Redactor

# Not from typing: importing that would add three milliseconds to the start of every supervisor.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from runner.supervision.documents import SpecDocument, StepDocument


def forget_secrets(directory: str, spec: SpecDocument) -> None:
    """Rewrite `spec.json` for people who want to see what ran; on a full disk it goes altogether."""
    redactor = Redactor(spec["redact"])
    clean: SpecDocument = {
        **spec,
        "redact": [],
        "before": [_clean(step, redactor) for step in spec["before"]],
        "main": _clean(spec["main"], redactor),
        "after": [_clean(step, redactor) for step in spec["after"]],
    }
    try:
        files.publish(directory, "spec.json", clean)
    except OSError:
        os.unlink(os.path.join(directory, "spec.json"))


def _clean(step: StepDocument, redactor: Redactor) -> StepDocument:
    argv = [redactor.text(word) for word in step["argv"]]
    env = {name: redactor.text(value) for name, value in step["env"].items()}
    return {**step, "argv": argv, "env": env}
