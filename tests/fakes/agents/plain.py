"""An agent as somebody might write one in ten minutes: it breaks the tests at first, and needs nothing but its box."""

import json
import os
import subprocess
import sys
from pathlib import Path


def commit(name: str, text: str) -> None:
    Path(name).write_text(text)
    subprocess.run(["git", "add", "--all"], check=True)
    subprocess.run(["git", "commit", "--quiet", "-m", f"Write {name}"], check=True)


def main() -> None:
    kind = os.environ["EXECCTL_KIND"]
    context = json.loads(Path(os.environ["EXECCTL_CONTEXT"]).read_text())
    assert context["task"]["title"] in sys.stdin.read()
    result: dict[str, object] = {"summary": f"did {kind}"}
    if kind == "pr_review":
        result["review"] = {"verdict": "green", "comments": []}
    else:
        commit("value.txt", "wrong\n" if kind == "investigation" else "ok\n")
    Path(os.environ["EXECCTL_RESULT"]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
