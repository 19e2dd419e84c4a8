"""The order of mounts: the deeper path decides, at one path the more generous one."""

import itertools
from pathlib import Path

from runner.supervision.sandbox import Policy, wrap


def mounts(policy: Policy) -> list[str]:
    """The mounts after the fixed ones, `--kind path`."""
    argv = wrap(["true"], policy)
    words = argv[argv.index("/proc") + 1 : argv.index("--")]
    return [f"{kind} {path}" for kind, path in itertools.pairwise(words) if kind.startswith("--")]


def test_the_command_comes_last_and_unchanged() -> None:
    argv = wrap(["agent", "--dev", "x"], Policy())
    assert argv[0] == "bwrap"
    assert argv[argv.index("--") + 1 :] == ["agent", "--dev", "x"]


def test_a_workspace_in_a_hidden_folder_is_mounted_after_it(tmp_path: Path) -> None:
    workspace = tmp_path / "workspaces" / "one"
    workspace.mkdir(parents=True)
    shown = mounts(Policy(writable=(workspace,), hidden=(tmp_path,)))
    assert shown == ["--tmpfs /tmp", f"--tmpfs {tmp_path}", f"--bind {workspace}"]


def test_a_hidden_folder_in_a_workspace_is_mounted_after_it(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    shown = mounts(Policy(writable=(tmp_path,), hidden=(tmp_path / "private",)))
    assert shown[1:] == [f"--bind {tmp_path}", f"--tmpfs {tmp_path / 'private'}"]


def test_what_is_missing_is_not_hidden(tmp_path: Path) -> None:
    assert mounts(Policy(hidden=(tmp_path / "missing",))) == ["--tmpfs /tmp"]


def test_a_link_is_mounted_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert mounts(Policy(writable=(tmp_path / "link",)))[1:] == [f"--bind {tmp_path / 'real'}"]
