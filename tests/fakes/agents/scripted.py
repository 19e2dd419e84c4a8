"""An agent of kind `command` that does what a JSON file says: `scripted.py SCRIPT`.

The script maps a task gid (or `*`) to a kind to a list of acts; the n-th start of that kind takes the n-th act, the
last one again and again. A kind that is not there does what a good agent would. Each start leaves a line in
`SCRIPT.starts`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

Act = dict[str, Any]
GREEN: dict[str, Act] = {
    "investigation": {"files": {"value.txt": "ok\n"}},
    "resume": {"files": {"value.txt": "ok\n", "resumed.txt": "yes\n"}},
    "fix_ci": {"files": {"value.txt": "ok\n", "fixed.txt": "yes\n"}},
    "fix_comments": {"append": "answers.txt", "replies": True},
    "pr_review": {"result": {"review": {"verdict": "green", "comments": []}}},
}
DEADLINE = 60.0


def main() -> None:
    script = Path(sys.argv[1])
    context = json.loads(Path(os.environ["EXECCTL_CONTEXT"]).read_text())
    prompt = sys.stdin.read()
    act = choose(json.loads(script.read_text()), script.with_suffix(".starts"), context, prompt)
    misbehave(act)
    work(act, context)
    answer(act, context)
    sys.exit(act.get("exit", 0))


def choose(script: dict[str, Any], log: Path, context: dict[str, Any], prompt: str) -> Act:
    kind, gid = os.environ["EXECCTL_KIND"], os.environ["EXECCTL_TASK_GID"]
    start = {
        "gid": gid,
        "kind": kind,
        "run": int(os.environ["EXECCTL_RUN"]),
        "attempt": int(os.environ["EXECCTL_ATTEMPT"]),
        "session": os.environ.get("EXECCTL_SESSION", ""),
        "prompt": prompt,
        "context": context,
        "pid": os.getpid(),
    }
    before = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    with log.open("a") as file:
        file.write(json.dumps(start) + "\n")
    nth = sum(1 for each in before if (each["gid"], each["kind"]) == (gid, kind))
    acts: list[Act] = script.get(gid, script.get("*", {})).get(kind) or [GREEN[kind]]
    return acts[min(nth, len(acts) - 1)]


def misbehave(act: Act) -> None:
    if act.get("ignore_term"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if act.get("grandchild"):
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    if "flood" in act:
        flood(act["flood"])
    if "say" in act:
        os.write(1, f"{act['say']}\n".encode())
    if "wait_for" in act:
        wait_for(Path(act["wait_for"]))
    if act.get("hang"):
        time.sleep(600)


def flood(size: int) -> None:
    block = b"x" * (1 << 20)
    for _ in range(size // len(block)):
        os.write(1, block)


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + DEADLINE
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def work(act: Act, context: dict[str, Any]) -> None:
    for name, text in act.get("files", {}).items():
        Path(name).write_text(text)
    if "append" in act:
        with open(act["append"], "a") as file:
            file.write(f"attempt {context['attempt']}\n")
    if act.get("merge"):
        git("merge", "--quiet", "-X", "ours", "-m", "merge base", f"origin/{context['base']}")
    if ("files" in act or "append" in act) and act.get("commit", True):
        git("add", "--all")
        amend = ["--amend"] if act.get("amend") else []
        git("commit", "--quiet", "--allow-empty", *amend, "-m", f"work of attempt {context['attempt']}")
    if "then_wait_for" in act:
        Path(f"{act['then_wait_for']}.waiting").touch()
        wait_for(Path(act["then_wait_for"]))


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True)


def answer(act: Act, context: dict[str, Any]) -> None:
    result = {"summary": f"attempt {context['attempt']} did {context['kind']}", **act.get("result", {})}
    if act.get("replies"):
        result["replies"] = [
            {"item": item["id"], "body": "done", "acknowledged": True}
            for item in context["items"]
            if item["kind"] in ("thread", "comment", "review")
        ]
    Path(os.environ["EXECCTL_RESULT"]).write_text(json.dumps(result))


if __name__ == "__main__":
    main()
