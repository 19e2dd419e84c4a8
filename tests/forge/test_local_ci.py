"""CI of the local forge, with real processes."""

import json
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runner.errors import EnvironmentBroken
from runner.forge.local.ci import LocalCi
from runner.store import local as store
from runner.supervision import sandbox
from runner.supervision.observation import Presence, probe
from runner.wake import woken_at
from tests.forge.worlds import BRANCH, World, another_repository, git, settled, until


def attempts(world: World) -> list[Path]:
    return sorted((world.home.state_dir / "ci").glob("*"), key=lambda folder: folder.stat().st_mtime)


def runs(folder: Path) -> bool:
    return probe(folder).main_started and probe(folder).presence is Presence.RUNNING


def start_and_see_it_run(world: World, ci: LocalCi) -> Path:
    known = set(attempts(world))
    ci.start_missing()
    [folder] = set(attempts(world)) - known
    until(lambda: runs(folder), "CI runs")
    return folder


def test_ci_of_a_new_head_is_queued_runs_and_succeeds(world: World) -> None:
    number = world.open()
    gate = world.home.state_dir / "gate"
    ci = world.ci(f"until test -e {gate}; do sleep 0.02; done")
    ci.settle()
    assert world.pull(number).checks[0].status == "QUEUED"
    assert ci.live() == 1
    start_and_see_it_run(world, ci)
    ci.settle()
    pull = world.pull(number)
    [check] = pull.checks
    assert (check.name, check.app, check.head, check.status) == ("ci", "local", pull.head, "IN_PROGRESS")
    assert [(suite.app, suite.status, suite.runs) for suite in pull.suites] == [("local", "IN_PROGRESS", 1)]
    assert check.started_at is not None
    gate.touch()
    settled(ci)
    pull = world.pull(number)
    [check] = pull.checks
    assert (check.status, check.conclusion, check.log_tail) == ("COMPLETED", "SUCCESS", "")
    assert check.ended_at is not None
    assert check.started_at is not None
    assert check.ended_at >= check.started_at
    assert pull.suites == ()
    assert woken_at(world.home.state_dir) is not None


def test_ci_runs_once_for_a_head(world: World) -> None:
    number = world.open()
    settled(world.ci())
    settled(world.ci())
    assert world.conclusions(number) == ["SUCCESS"]
    assert len(attempts(world)) == 1


def test_failing_ci_shows_its_last_two_hundred_lines(world: World) -> None:
    number = world.open()
    settled(world.ci("seq 1 500; echo broken >&2; exit 3"))
    [check] = world.pull(number).checks
    lines = check.log_tail.splitlines()
    assert check.conclusion == "FAILURE"
    assert (len(lines), lines[0], lines[-1]) == (200, "302", "broken")


def test_a_log_that_no_database_could_hold_is_made_to_fit(world: World) -> None:
    number = world.open()
    settled(world.ci(r"printf 'a\0b\377\n'; head -c 3000000 /dev/zero | tr '\0' x; exit 1"))
    [check] = world.pull(number).checks
    assert "\0" not in check.log_tail
    assert len(check.log_tail) < 100_000


def test_ci_past_its_limit_is_timed_out(world: World) -> None:
    number = world.open()
    # One process: a shell beside it might live long enough to say that it was terminated.
    settled(world.ci("echo begun; exec sleep 60", timeout=0.3))
    [check] = world.pull(number).checks
    assert (check.conclusion, check.log_tail) == ("TIMED_OUT", "begun")


def test_ci_sees_a_clean_checkout_of_the_head_and_leaves_nothing_of_it(world: World) -> None:
    (world.path / "untracked").write_text("not for CI")
    number = world.open(files={"work.txt": "done\n"})
    clean = 'test -z "$(git status --porcelain)" && test ! -e untracked'
    settled(world.ci(f"{clean} && cat work.txt && git rev-parse HEAD; exit 1"))
    [check] = world.pull(number).checks
    assert check.log_tail.splitlines() == ["done", check.head]
    assert not (attempts(world)[0] / "work").exists()
    assert git(world.path, "status", "--porcelain") == "?? untracked"


def test_ci_sees_only_the_allowed_environment(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("DATABASE", "of CI")
    number = world.open()
    settled(world.ci("env; exit 1", names=("DATABASE", "NEVER_SET")))
    seen = dict(line.split("=", 1) for line in world.pull(number).checks[0].log_tail.splitlines())
    assert seen["DATABASE"] == "of CI"
    assert not {"GITHUB_TOKEN", "NEVER_SET"} & seen.keys()
    assert seen.keys() <= {"DATABASE", "PATH", "LANG", "HOME", "TMPDIR", "EXECCTL_MARK", "PWD", "OLDPWD", "SHLVL", "_"}
    assert str(world.home.state_dir) in seen["HOME"]
    assert str(world.home.state_dir) in seen["TMPDIR"]


def test_two_run_at_once_and_the_third_waits_whatever_its_repository(world: World) -> None:
    other = another_repository(world, "acme/other")
    gate = world.home.state_dir / "gate"
    command = f"until test -e {gate}; do sleep 0.02; done"
    numbers = [world.open("execctl/a"), world.open("execctl/b"), other.open("execctl/c")]
    first, second = world.ci(command), other.ci(command)
    first.start_missing()
    second.start_missing()
    assert len(attempts(world)) == 2
    assert other.pull(numbers[2]).checks[0].status == "QUEUED"
    assert second.live() == 1
    gate.touch()
    settled(first)
    settled(second)
    assert other.conclusions(numbers[2]) == ["SUCCESS"]


def test_ci_of_a_head_that_moved_is_cancelled_stopped_and_followed_by_the_new_heads(world: World) -> None:
    number = world.open()
    ci = world.ci("test -e fast || sleep 60")
    folder = start_and_see_it_run(world, ci)
    head = world.work({"fast": ""})
    assert world.pull(number).checks == ()
    assert world.conclusions(number) == ["CANCELLED"]
    ci.start_missing()
    until(lambda: probe(folder).presence is Presence.FINISHED, "the old head's CI stops")
    settled(ci)
    assert world.conclusions(number) == ["CANCELLED", "SUCCESS"]
    assert world.pull(number).checks[0].head == head


def test_a_head_that_comes_back_has_the_ci_it_had(world: World) -> None:
    number = world.open()
    old = world.pull(number).head
    settled(world.ci())
    world.work()
    world.pull(number)
    settled(world.ci())
    git(world.path, "update-ref", f"refs/heads/{BRANCH}", old)
    assert [check.conclusion for check in world.pull(number).checks] == ["SUCCESS"]
    settled(world.ci())
    assert len(attempts(world)) == 2


def test_ci_whose_supervisor_is_killed_is_cancelled_and_started_again(world: World, tmp_path: Path) -> None:
    number = world.open()
    ci = world.ci(f"test -e {tmp_path}/again || {{ touch {tmp_path}/again; sleep 60; }}")
    folder = start_and_see_it_run(world, ci)
    until((tmp_path / "again").exists, "the command runs")
    shim = json.loads((folder / "started.json").read_text())["shim_pid"]
    os.kill(shim, signal.SIGKILL)
    until(lambda: probe(folder).presence is Presence.LOST, "the supervisor is gone")
    ci.settle()
    assert world.conclusions(number) == ["CANCELLED", "QUEUED"]
    settled(ci)
    assert world.conclusions(number) == ["CANCELLED", "SUCCESS"]
    assert [check.conclusion for check in world.pull(number).checks] == ["SUCCESS"]


def test_ci_that_is_always_lost_is_left_to_the_rules(world: World) -> None:
    number = world.open()
    settled(world.ci("kill -9 $PPID; sleep 60"))
    assert world.conclusions(number) == ["CANCELLED"] * 4
    assert [check.conclusion for check in world.pull(number).checks] == ["CANCELLED"]


def test_a_claim_whose_process_was_never_started_is_made_good(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    number = world.open()
    ci = world.ci()
    with monkeypatch.context() as crash:
        crash.setattr(LocalCi, "_spawn", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            ci.start_missing()
    assert ci.live() == 1
    settled(ci)
    assert world.conclusions(number) == ["SUCCESS"]
    assert len(attempts(world)) == 1


def test_a_claim_whose_head_moved_before_its_process_started_is_dropped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = world.open()
    with monkeypatch.context() as crash:
        crash.setattr(LocalCi, "_spawn", lambda *_: None)
        world.ci().start_missing()
    world.work()
    world.pull(number)
    settled(world.ci())
    assert world.conclusions(number) == ["CANCELLED", "SUCCESS"]
    assert len(attempts(world)) == 1


def test_a_head_that_cannot_be_checked_out_is_cancelled_with_the_reason(world: World) -> None:
    number = world.open()
    world.ci().settle()
    head = world.pull(number).head
    git(world.path, "update-ref", "-d", f"refs/heads/{BRANCH}")
    git(world.path, "reflog", "expire", "--expire=now", "--all")
    git(world.path, "gc", "--quiet", "--prune=now")
    settled(world.ci())
    assert world.conclusions(number) == ["CANCELLED"]
    with world.home.database.read() as connection:
        [check] = store.checks(connection, [1], of_heads=True)
    assert f"has no commit {head}" in check.log_tail


def test_ci_that_cannot_be_started_says_so_and_keeps_its_place(world: World) -> None:
    number = world.open()
    world.home.state_dir.mkdir(parents=True, exist_ok=True)
    blocker = world.home.state_dir / "ci"
    blocker.write_text("in the way")
    with pytest.raises(EnvironmentBroken):
        world.ci().start_missing()
    blocker.unlink()
    settled(world.ci())
    assert world.conclusions(number) == ["SUCCESS"]


def test_a_rerun_runs_ci_again_on_the_same_head_once_per_marker(world: World, tmp_path: Path) -> None:
    number = world.open()
    ci = world.ci(f"test -e {tmp_path}/mended")
    settled(ci)
    pull = world.pull(number)
    assert pull.checks[0].conclusion == "FAILURE"
    (tmp_path / "mended").touch()
    for _ in range(2):
        world.forge.rerun(number, pull.head, [pull.checks[0].id], "<!-- execctl:rerun n=1 -->")
    assert ci.live() == 1
    settled(ci)
    world.forge.rerun(number, pull.head, [pull.checks[0].id], "<!-- execctl:rerun n=1 -->")
    settled(ci)
    assert [check.conclusion for check in world.pull(number).checks] == ["FAILURE", "SUCCESS"]
    assert max(world.pull(number).checks, key=lambda check: check.id).conclusion == "SUCCESS"


def test_a_trigger_starts_ci_once_per_marker_and_not_for_a_head_that_moved(world: World) -> None:
    number = world.open()
    old = world.pull(number).head
    world.forge.trigger(number, old, "<!-- execctl:trigger n=1 -->")
    world.forge.trigger(number, old, "<!-- execctl:trigger n=1 -->")
    settled(world.ci())
    assert world.conclusions(number) == ["SUCCESS"]
    world.work()
    world.pull(number)
    world.forge.trigger(number, old, "<!-- execctl:trigger n=2 -->")
    assert world.conclusions(number) == ["SUCCESS"]


def test_ci_stops_when_its_pull_request_closes_and_runs_again_when_it_reopens(world: World) -> None:
    number = world.open()
    gate = world.home.state_dir / "gate"
    ci = world.ci(f"test -e {gate} || sleep 60")
    start_and_see_it_run(world, ci)
    world.people.close(number)
    assert world.conclusions(number) == ["CANCELLED"]
    settled(ci)
    gate.touch()
    world.people.reopen(number)
    settled(ci)
    assert world.conclusions(number) == ["CANCELLED", "SUCCESS"]


def test_ci_of_a_merged_pull_request_stops_for_good(world: World) -> None:
    number = world.open()
    ci = world.ci("sleep 60")
    start_and_see_it_run(world, ci)
    world.people.merge(number)
    settled(ci)
    assert world.conclusions(number) == ["CANCELLED"]


def test_secrets_do_not_reach_the_log(world: World) -> None:
    number = world.open()
    ci = world.ci("echo the word is xyzzy-plugh; exit 1")
    ci.settings = replace(ci.settings, redact=("xyzzy-plugh",))
    settled(ci)
    assert world.pull(number).checks[0].log_tail == "the word is [redacted]"


def test_boxed_ci_writes_nowhere_but_in_its_own_folder(world: World, tmp_path: Path) -> None:
    works, why = sandbox.available()
    if not works:
        pytest.skip(f"bubblewrap does not work here: {why}")

    def box(argv: Sequence[str], writable: Sequence[Path], readable: Sequence[Path]) -> list[str]:
        return sandbox.wrap(argv, sandbox.Policy(writable=tuple(writable), readable=tuple(readable)))

    number = world.open(files={"work.txt": "done\n"})
    inside = "git log -1 --format=%s && touch made $HOME/made $TMPDIR/made"
    outside = "; ".join(f"touch {folder}/made" for folder in (world.path, tmp_path, "../..", "../../.."))
    settled(world.ci(f"{inside} || exit 1; {outside}; true", box=box))
    assert world.conclusions(number) == ["SUCCESS"]
    assert list(tmp_path.rglob("made")) == []
