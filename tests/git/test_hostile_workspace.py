"""Nothing that an agent writes into its workspace runs on the host, reaches other runs, or leads the host elsewhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.errors import ExecctlError
from runner.workspaces.git import GitError
from runner.workspaces.steps.mirror import update_mirror
from tests.git.worlds import BRANCH, Attempt, World, commit, git


def booby_trap(attempt: Attempt, mark: Path) -> None:
    """Hooks, a file-system monitor and a clean filter, each of which would leave a mark."""
    payload = attempt.workspace / ".git" / "payload"
    payload.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", encoding="utf-8")
    payload.chmod(0o755)
    hooks = attempt.workspace / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-checkout", "reference-transaction", "pre-commit", "post-merge", "post-index-change"):
        (hooks / hook).symlink_to(payload)
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "uploadpack.packObjectsHook"):
        git(attempt.workspace, "config", key, str(payload))
    git(attempt.workspace, "config", "core.hooksPath", str(hooks))
    (attempt.workspace / ".gitattributes").write_text("* filter=evil\n", encoding="ascii")


def test_d2_metadata_that_runs_commands_is_inert_on_the_host(world: World, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    booby_trap(attempt, mark)
    attempt.hand_over()
    mark.unlink(missing_ok=True)
    update_mirror(attempt.parameters)
    assert attempt.ingest()["head"] == head
    assert world.mirror.push(BRANCH, None).outcome == "pushed"
    world.mirror.diff(world.first, head, 1000)
    attempt.remove()
    assert not mark.exists()


def test_d2_the_trap_is_real(world: World, tmp_path: Path) -> None:
    """Plain git in that workspace runs the payload: else the test above could not fail."""
    mark = tmp_path / "mark"
    attempt = world.attempt("a1")
    attempt.begin()
    booby_trap(attempt, mark)
    git(attempt.workspace, "status")
    assert mark.exists()


def test_d2_a_replaced_git_folder_is_set_aside_by_the_host_without_git(world: World, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / ".git").rename(tmp_path / "real")
    git(attempt.workspace, "init", "--quiet")
    booby_trap(attempt, mark)
    mark.unlink(missing_ok=True)
    assert world.attempt("a2").begin()["head"] == world.first
    assert not mark.exists()


def test_a_git_folder_that_is_a_link_elsewhere_is_set_aside(world: World) -> None:
    other = world.attempt("a0", run="other", branch="execctl/other-0000000000")
    other.begin()
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / ".git").rename(attempt.workspace / "dot-git")
    (attempt.workspace / ".git").symlink_to(other.workspace / ".git")
    world.attempt("a2").begin()
    assert git(other.workspace, "branch", "--show-current") == other.branch


def test_a_work_tree_set_elsewhere_is_not_followed(world: World, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "README.md").write_text("precious", encoding="utf-8")
    world.published("a1", {"new": "1"})
    attempt = world.attempt("a2")
    git(attempt.workspace, "config", "core.worktree", str(victim))
    world.person_pushes({"README.md": "theirs"})
    attempt.begin()
    attempt.hand_over()
    assert (victim / "README.md").read_text(encoding="utf-8") == "precious"


def test_w17_one_attempts_hooks_and_settings_stay_in_its_workspace(world: World, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    world.mirror.ensure()
    before = {path: path.read_bytes() for path in (world.mirror.path / "config", world.source / ".git" / "config")}
    hostile = world.attempt("a0", run="other", branch="execctl/other-0000000000")
    hostile.begin()
    booby_trap(hostile, mark)
    mark.unlink(missing_ok=True)
    world.accepted("a1", {"new": "1"})
    assert not mark.exists()
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "garbage"])
def test_a_planted_bundle_is_refused_and_moves_nothing(world: World, tmp_path: Path, kind: str) -> None:
    accepted = world.accepted("a1", {"new": "1"})
    attempt = world.attempt("a2")
    attempt.begin()
    secret = tmp_path / "secret"
    secret.write_text("hush", encoding="ascii")
    bundle = attempt.out / "bundle"
    if kind == "link":
        bundle.symlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(bundle)
    elif kind == "folder":
        bundle.mkdir()
    else:
        bundle.write_bytes(b"# v2 git bundle\n\nnonsense")
    with pytest.raises(ExecctlError):
        attempt.ingest()
    assert attempt.read("ingest.json")["error"]
    assert world.mirror.branch_head(BRANCH) == accepted


def test_a_bundle_moves_no_ref_but_its_own(world: World) -> None:
    accepted = world.accepted("a1", {"new": "1"})
    attempt = world.attempt("a2", run="other", branch="execctl/other-0000000000")
    attempt.begin()
    head = commit(attempt.workspace, {"evil": "1"})
    attempt.hand_over()
    git(attempt.workspace, "update-ref", f"refs/heads/{BRANCH}", head)
    git(attempt.workspace, "bundle", "create", str(attempt.out / "bundle"), "refs/execctl/handover", "--all")
    assert attempt.ingest()["moved"]
    assert world.mirror.branch_head(BRANCH) == accepted


def test_broken_objects_are_not_let_in(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    tree = git(attempt.workspace, "rev-parse", "HEAD^{tree}")
    evil = f"tree {tree}\nparent {world.first}\nauthor nobody\ncommitter x\n\nx\n"
    head = git(attempt.workspace, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=evil)
    git(attempt.workspace, "update-ref", f"refs/heads/{BRANCH}", head)
    attempt.hand_over()
    with pytest.raises(GitError):
        attempt.ingest()
    assert world.mirror.branch_head(BRANCH) == world.first


def test_a_link_planted_where_the_host_writes_is_replaced_not_followed(world: World, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="ascii")
    attempt = world.attempt("a1")
    attempt.begin()
    for name in ("ingest.json", "ingest.json.new"):
        (attempt.out / name).symlink_to(victim)
    attempt.end()
    assert victim.read_text(encoding="ascii") == "precious"
    assert attempt.read("ingest.json")["error"] is None


def test_a_patch_that_is_a_link_is_not_salvaged(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    attempt.hand_over()
    (attempt.out / "uncommitted.patch").symlink_to("/etc/passwd")
    with pytest.raises(ExecctlError, match=r"uncommitted\.patch"):
        attempt.remove()
    assert attempt.workspace.exists()


FORGED = {"head": "f" * 40, "ahead": 3, "new_commits": 3, "moved": True, "rewrote_history": False, "error": None}


def test_reports_that_an_agent_forged_are_never_those_of_the_hand_over(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    for name in ("status.json", "ingest.json"):
        (attempt.out / name).write_text(json.dumps(FORGED), encoding="ascii")
    (attempt.out / "workspace.json").write_text('{"start": "--all", "base_commit": {}}', encoding="ascii")
    assert attempt.hand_over() | {"new_commits": 0, "ahead": 0, "head": world.first} == attempt.read("status.json")
    assert not (attempt.out / "ingest.json").exists()


def test_reports_are_forgotten_even_when_nothing_can_be_handed_over(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    for name in ("status.json", "ingest.json"):
        (attempt.out / name).write_text(json.dumps(FORGED), encoding="ascii")
    Path(attempt.parameters["heads"]).unlink()
    with pytest.raises(ExecctlError):
        attempt.hand_over()
    assert attempt.read("status.json")["ahead"] == 0
    assert not (attempt.out / "ingest.json").exists()


def test_what_stands_where_the_work_is_written_is_cleared(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    head = commit(attempt.workspace, {"new": "1"})
    (attempt.workspace / "draft").write_text("half done", encoding="ascii")
    for name in ("status.json", "status.json.new", "ingest.json", "bundle"):
        (attempt.out / name / "full").mkdir(parents=True)
    os.mkfifo(attempt.out / "uncommitted.patch")
    assert attempt.end()["head"] == head
    assert "half done" in (attempt.out / "uncommitted.patch").read_text(encoding="utf-8")


def test_commits_of_another_history_do_not_spoil_the_workspace(world: World) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    git(attempt.workspace, "checkout", "--quiet", "--orphan", "other")
    commit(attempt.workspace, {"new": "1"})
    git(attempt.workspace, "branch", "--force", BRANCH, "HEAD")
    git(attempt.workspace, "checkout", "--quiet", BRANCH)
    assert attempt.end()["rewrote_history"] is True
    again = world.attempt("a2")
    assert again.begin()["head"] == world.first
    assert list(again.workspace.parent.glob("*quarantine*")) == []


@pytest.mark.parametrize("document", ["[]", "{", "null"])
def test_a_status_that_is_no_object_is_refused(world: World, document: str) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.out / "status.json").write_text(document, encoding="ascii")
    with pytest.raises(ExecctlError) as caught:
        attempt.remove()
    assert caught.value.code == "bad_document"


def boxed(attempt: Attempt, name: str) -> subprocess.CompletedProcess[str]:
    """Run a step where only the workspace and the attempt's folder can be written."""
    writable = [word for path in (attempt.workspace, attempt.out) for word in ("--bind", str(path), str(path))]
    box = [
        "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--unshare-pid",
        "--unshare-net",
        *writable,
    ]
    step = [sys.executable, "-I", "-m", "runner.workspaces.steps", name, str(attempt.parameters_file())]
    return subprocess.run([*box, *step], capture_output=True, text=True, check=False)


@pytest.fixture
def _bubblewrap() -> None:
    try:
        works = (
            subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True, check=False).returncode == 0
        )
    except FileNotFoundError:
        works = False
    if not works:
        pytest.skip("bubblewrap does not work here: trial run failed")


@pytest.mark.usefixtures("_bubblewrap")
def test_prepare_and_hand_over_need_no_more_than_the_workspace_and_the_attempts_folder(world: World) -> None:
    for token in ("a1", "a2"):
        attempt = world.attempt(token)
        update_mirror(attempt.parameters)
        assert boxed(attempt, "prepare").stderr == ""
        head = commit(attempt.workspace, {token: "1"})
        assert boxed(attempt, "handover").stderr == ""
        assert attempt.ingest()["head"] == head


@pytest.mark.usefixtures("_bubblewrap")
def test_a_broken_workspace_in_a_box_fails_once_and_is_set_aside_by_the_host_next_time(world: World) -> None:
    world.accepted("a1", {"new": "1"})
    attempt = world.attempt("a2")
    (attempt.workspace / ".git" / "HEAD").write_text("garbage", encoding="ascii")
    update_mirror(attempt.parameters)
    assert "cannot be set aside from here" in boxed(attempt, "prepare").stderr
    attempt = world.attempt("a3")
    update_mirror(attempt.parameters)
    assert boxed(attempt, "prepare").stderr == ""
    assert json.loads((attempt.out / "workspace.json").read_text(encoding="utf-8"))["dirty"] == []


@pytest.mark.usefixtures("_bubblewrap")
@pytest.mark.parametrize("spoiled", ["index", "HEAD", "config"])
def test_what_an_agent_spoiled_does_not_keep_the_next_attempt_from_starting(world: World, spoiled: str) -> None:
    attempt = world.attempt("a1")
    attempt.begin()
    (attempt.workspace / ".git" / spoiled).write_text("garbage", encoding="ascii")
    boxed(attempt, "handover")
    attempt = world.attempt("a2")
    update_mirror(attempt.parameters)
    assert boxed(attempt, "prepare").stderr == ""
