#!/usr/bin/env python3
"""A scripted agent of the kind `command`: no model, the same work each time, one mistake on purpose."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FEATURE = '''

def discounted(price: int, percent: int) -> int:
    """The price less a discount, rounded down."""
    return price - price * percent // {divisor}
'''
TESTS = '''

class Discounted(unittest.TestCase):
    """The price less a discount."""

    def test_ten_percent_off(self) -> None:
        """A round sum."""
        self.assertEqual(discounted(200, 10), 180)
'''
MISTAKE, RIGHT = 10, 100


def commit(message: str) -> None:
    """Put everything that changed on the branch."""
    subprocess.run(["git", "add", "--all"], check=True)
    subprocess.run(["git", "commit", "--quiet", "--message", message], check=True)


def build() -> dict[str, Any]:
    """Do what the task asks, with a mistake that only CI will find."""
    source, tests = Path("prices.py"), Path("test_prices.py")
    if "discounted" not in source.read_text(encoding="utf-8"):
        source.write_text(source.read_text(encoding="utf-8") + FEATURE.format(divisor=MISTAKE), encoding="utf-8")
        imports = tests.read_text(encoding="utf-8").replace("import total", "import discounted, total")
        tests.write_text(imports + TESTS, encoding="utf-8")
        commit("Give a discount in percent")
    print("wrote prices.discounted and its test")
    return {"summary": "Added discounted() with a test.", "title": "Give a discount in percent"}


def fix_ci() -> dict[str, Any]:
    """Repair the mistake."""
    source = Path("prices.py")
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace(f"// {MISTAKE}\n", f"// {RIGHT}\n"), encoding="utf-8")
    commit("Divide by a hundred")
    print("a percentage is a part of a hundred, not of ten")
    return {"summary": "A percentage was divided by ten; it is divided by a hundred now."}


def fix_comments() -> dict[str, Any]:
    """Take every comment into a file of notes, and say so."""
    context = json.loads(Path(os.environ["EXECCTL_CONTEXT"]).read_text(encoding="utf-8"))
    notes = Path("NOTES.md")
    before = notes.read_text(encoding="utf-8") if notes.exists() else ""
    lines = "".join(f"- {item['author']}: {' '.join(item['body'].split())}\n" for item in context["items"])
    notes.write_text(before + lines, encoding="utf-8")
    commit("Write down what was said")
    print(f"answered {len(context['items'])} comments")
    replies = [{"item": item["id"], "body": "Noted in NOTES.md.", "acknowledged": True} for item in context["items"]]
    return {"summary": "Wrote the comments down.", "replies": replies}


def review() -> dict[str, Any]:
    """Find the work good."""
    print("read the difference, found nothing")
    return {"summary": "It does what the task asks.", "review": {"verdict": "green", "comments": []}}


def analyse() -> dict[str, Any]:
    """Find the task clear and small."""
    told = {"feasibility": "feasible", "complexity": "trivial", "analysis_summary": "Clear.", "recommendation": "go"}
    return {"summary": "Clear.", "analysis": told}


KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "investigation": build,
    "resume": build,
    "fix_ci": fix_ci,
    "fix_comments": fix_comments,
    "pr_review": review,
    "analysis": analyse,
}


def main() -> None:
    """Read the prompt, do the work of this kind, leave the result."""
    sys.stdin.read()
    result = KINDS[os.environ["EXECCTL_KIND"]]()
    Path(os.environ["EXECCTL_RESULT"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
