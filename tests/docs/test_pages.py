"""What pages say about files and commands is true."""

import re
from pathlib import Path

import pytest

from statemachines.words import Code

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_to_something(page: Path) -> None:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for path, anchor in LINK.findall(prose):
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {path}"
        assert not anchor or anchor in anchors(target), f"{name(page)} links to {path}#{anchor}"


def test_ci_runs_the_commands_of_the_readme() -> None:
    test_command = re.findall(r"^python3 -m venv .*pytest$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(test_command) == 1
    for other in (".ci/run", "CONTRIBUTING.md"):
        assert test_command[0] in (ROOT / other).read_text("utf-8")


def test_the_lines_of_code_in_the_readme_are_those_of_the_code() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    code = (ROOT / "statemachines" / "run.py").read_text("utf-8")
    for line in block.splitlines():
        assert line.strip() in code


def test_every_reason_code_is_told_to_scripts() -> None:
    codes = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8").partition("## Codes")[2]
    listed = " ".join(re.findall(r": `([^`]+)`", codes)).split()
    assert sorted(listed) == sorted(code.value for code in Code)


def test_the_lock_names_no_registry() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert "://" not in lock
    assert "index" not in lock
