"""The supervisor starts on the standard library alone, and light."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HEAVY = {"typing", "dataclasses", "inspect", "pathlib", "datetime", "subprocess", "shutil", "runner.clock"}


def loaded_by_the_supervisor() -> set[str]:
    script = f"import sys; sys.path.append({str(ROOT)!r}); import runner.supervision.supervisor; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_it_loads_nothing_but_the_standard_library_and_itself() -> None:
    foreign = {
        name
        for name in loaded_by_the_supervisor()
        if name.split(".")[0] not in sys.stdlib_module_names | {"runner", "__main__"}
    }
    assert foreign == set()


def test_it_loads_nothing_heavy() -> None:
    assert loaded_by_the_supervisor() & HEAVY == set()
