"""Names of the refs that the mirror keeps beside the branches."""

BASES = "refs/execctl/base"
HANDOVER = "refs/execctl/handover"  # the one ref a workspace hands over in its bundle


def branch(name: str) -> str:
    """The branch itself: in the mirror the accepted work, at the source the published work."""
    return f"refs/heads/{name}"


def base(name: str) -> str:
    """The base branch as last read from the source."""
    return f"{BASES}/{name}"


def forge(name: str) -> str:
    """The branch as last seen at the source."""
    return f"refs/execctl/forge/{name}"


def pushed(name: str) -> str:
    """The last head of the branch that we published: what lies beyond it was never public."""
    return f"refs/execctl/pushed/{name}"


def attempt(token: str) -> str:
    """What one attempt handed over, accepted or not."""
    return f"refs/execctl/attempts/{token}"


def unpushed(token: str) -> str:
    """Accepted work set aside, when an attempt starts, because the source went another way."""
    return f"refs/execctl/attempts/{token}-unpushed"


def kept(token: str) -> str:
    """Commits of a workspace that the mirror never had, set aside when an attempt starts."""
    return f"refs/execctl/attempts/{token}-kept"


def salvage(token: str) -> str:
    """The patch of uncommitted work that an attempt left behind."""
    return f"refs/execctl/salvage/{token}"


def fetched(name_hash: str) -> str:
    """A commit brought into the mirror by name, held against pruning."""
    return f"refs/execctl/fetched/{name_hash}"
