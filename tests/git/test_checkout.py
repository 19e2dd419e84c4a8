from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces.steps.checkout import check_out, clean_up
from tests.git.worlds import World, commit, git


def test_ci_gets_one_clean_commit(world: World, tmp_path: Path) -> None:
    head = commit(world.source, {"new": "1"})
    commit(world.source, {"new": "2"})
    (world.source / "stray").touch()
    directory = tmp_path / "ci"
    check_out({"source": str(world.source), "head": head, "directory": str(directory)})
    assert (directory / "new").read_text(encoding="ascii") == "1"
    assert git(directory, "rev-parse", "HEAD") == head
    assert git(directory, "status", "--porcelain") == ""
    assert not (directory / "stray").exists()


def test_a_mirror_can_be_the_source(world: World, tmp_path: Path) -> None:
    head = world.accepted("a1", {"new": "1"})
    check_out({"source": str(world.mirror.path), "head": head, "directory": str(tmp_path / "ci")})
    assert (tmp_path / "ci" / "new").exists()


def test_a_missing_commit_fails_and_leaves_nothing(world: World, tmp_path: Path) -> None:
    directory = tmp_path / "ci"
    with pytest.raises(ExecctlError, match="has no commit") as caught:
        check_out({"source": str(world.source), "head": "1" * 40, "directory": str(directory)})
    assert caught.value.code == "commit_missing"
    assert not directory.exists()


def test_a_folder_with_something_in_it_is_not_used(world: World, tmp_path: Path) -> None:
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "precious").touch()
    with pytest.raises(ExecctlError, match="is not empty"):
        check_out({"source": str(world.source), "head": world.first, "directory": str(tmp_path / "ci")})


def test_cleaning_up_removes_what_ci_made_unwritable_and_follows_no_link(world: World, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    directory = tmp_path / "ci"
    check_out({"source": str(world.source), "head": world.first, "directory": str(directory)})
    (directory / "deep" / "er").mkdir(parents=True)
    (directory / "deep" / "er" / "file").touch()
    (directory / "link").symlink_to(precious)
    (directory / "deep" / "er").chmod(0o000)
    (directory / "deep").chmod(0o000)
    clean_up({"directory": str(directory)})
    clean_up({"directory": str(directory)})
    assert not directory.exists()
    assert (precious / "file").exists()


def test_a_link_is_not_cleaned_up(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "ci").symlink_to(tmp_path / "precious")
    with pytest.raises(ExecctlError, match="is a link"):
        clean_up({"directory": str(tmp_path / "ci")})
