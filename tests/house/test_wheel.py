"""The wheel works without its checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_wheel_brings_its_folders_and_its_command(tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    run(*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("execctl-*.whl")
    run(*pip, "install", "--constraint", ROOT / "requirements.lock", wheel, cwd=tmp_path)
    environ = {"HOME": str(tmp_path), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    execctl = python.with_name("execctl")
    assert "in_progress" in run(execctl, "graph", "run", cwd=tmp_path, environ=environ)
    run(execctl, "db", "upgrade", cwd=tmp_path, environ=environ)
    place = run(execctl, "demo", cwd=tmp_path, environ=environ).rpartition("directory: ")[2].strip()
    assert "0 problems" in run(execctl, "--config", f"{place}/execctl.toml", "doctor", cwd=tmp_path, environ=environ)
    find = "from runner.resources import shipped_folder; print(shipped_folder('prompts'))"
    assert "_shipped" in run(python, "-c", find, cwd=tmp_path, environ=environ)
