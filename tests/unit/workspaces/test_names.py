import re
import subprocess

from hypothesis import given
from hypothesis import strategies as st

from runner.workspaces.names import branch_name, folder_name, repository_folder

# What git check-ref-format asks of a branch, as far as our alphabet could break it.
VALID = re.compile(r"execctl/[a-z0-9]+(-[a-z0-9]+)*-[0-9a-f]{10}")
any_text = st.text() | st.text(alphabet=st.characters(categories=("Cs", "Cc", "Lu")), max_size=300)


@given(any_text, any_text, st.integers(min_value=0), any_text)
def test_every_title_gives_a_valid_branch_of_bounded_length(slug: str, gid: str, run: int, title: str) -> None:
    name = branch_name(slug, gid, run, title)
    assert VALID.fullmatch(name)
    assert len(name) <= len("execctl/") + 40 + 1 + 10


def test_git_accepts_branches_of_awkward_titles() -> None:
    for title in ("Größe der Straße ändern", "日本語", "a" * 300, "..//~^:?*[\\", "x.lock", "-rf", "@{", "HEAD", ""):
        name = branch_name("acme/shop", "t-1", 1, title)
        assert (
            subprocess.run(["git", "check-ref-format", "--branch", name], capture_output=True, check=False).returncode
            == 0
        )


def test_titles_are_folded_to_readable_ascii() -> None:
    assert branch_name("acme/shop", "t-1", 1, "Größe ändern, bitte!").startswith("execctl/groe-andern-bitte-")
    assert branch_name("acme/shop", "t-1", 1, "日本語").startswith("execctl/task-")


@given(any_text, any_text, st.integers(0, 99), any_text, any_text, st.integers(0, 99))
def test_another_repository_gid_or_run_gives_another_branch(
    slug: str, gid: str, run: int, slug_2: str, gid_2: str, run_2: int
) -> None:
    same = branch_name(slug, gid, run, "title") == branch_name(slug_2, gid_2, run_2, "title")
    assert same == ((slug, gid, run) == (slug_2, gid_2, run_2))


@given(any_text)
def test_a_folder_is_one_path_component_that_stays_in_its_parent(gid: str) -> None:
    name = folder_name(gid)
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,80}", name)
    assert name not in {".", ".."}


def test_a_plain_gid_is_its_own_folder_and_any_other_is_hashed() -> None:
    assert folder_name("ACME-12_x.y") == "ACME-12_x.y"
    assert re.fullmatch(r"task-[0-9a-f]{10}", folder_name(".."))
    assert re.fullmatch(r"etc-passwd-[0-9a-f]{10}", folder_name("../etc/passwd"))
    assert len(folder_name("a" * 81)) == 40 + 1 + 10


def test_repositories_that_slug_alike_have_different_folders() -> None:
    assert repository_folder("acme/shop") != repository_folder("acme-shop")
