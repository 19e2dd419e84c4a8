"""Branch and folder names: safe, collision-proof and stable for any text that a task may bring."""

import hashlib
import re
import unicodedata

_PLAIN_FOLDER = re.compile(r"[A-Za-z0-9._-]{1,80}")
_SLUG_LENGTH = 40
_HASH_LENGTH = 10


def branch_name(repository_slug: str, gid: str, run_id: int, title: str) -> str:
    """`execctl/<slug>-<hash>`: the title for people, the hash over repository, gid and run id for uniqueness."""
    return f"execctl/{_slug(title, 'task')}-{_hash(repository_slug, gid, str(run_id))}"


def folder_name(gid: str) -> str:
    """The gid itself where it is a plain file name, else its slug with a hash; never leaves its folder."""
    if _PLAIN_FOLDER.fullmatch(gid) and gid not in {".", ".."}:
        return gid
    return f"{_slug(gid, 'task')}-{_hash(gid)}"


def repository_folder(slug: str) -> str:
    """The folder of a repository below `mirrors`: one path component, unique for the slug."""
    return f"{_slug(slug, 'repository')}-{_hash(slug)}"


def _slug(text: str, fallback: str) -> str:
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    return words[:_SLUG_LENGTH].strip("-") or fallback


def _hash(*parts: str) -> str:
    # The length before each part keeps ("ab", "c") and ("a", "bc") apart.
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
