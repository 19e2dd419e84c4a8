"""What pydantic found wrong, told in one line a problem with the file or variable it stands in."""

from collections.abc import Iterable, Mapping
from typing import Any

from runner.config.schema import key_type, table_fields, table_of
from runner.config.settings import OVERRIDABLE

_WRONG_TYPE = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a table",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "model_type": "a table",
    "string_type": "a text",
    "tuple_type": "a list",
}


def describe(errors: Iterable[Any], origins: Mapping[str, str]) -> list[str]:
    """One line for each error of a pydantic ValidationError; `origins` tells which key was set where."""
    own = (error for error in errors if not _inherited(error["loc"], origins))
    lines = (f"{_origin(error['loc'], origins)}: {line}" for error in own for line in _problem(error, origins))
    return list(dict.fromkeys(lines))


def dotted(path: Iterable[str | int]) -> str:
    """A key as `origins` names it: `repository.0.slug`."""
    return ".".join(map(str, path))


def _inherited(path: tuple[str | int, ...], origins: Mapping[str, str]) -> bool:
    # A mistake in a global table is found again in each repository that inherits it; it is told once.
    if len(path) < 4 or path[0] != "repository" or path[2] not in OVERRIDABLE:
        return False
    return not any(key == dotted(path[:4]) or key.startswith(dotted(path[:4]) + ".") for key in origins)


def _origin(path: tuple[str | int, ...], origins: Mapping[str, str]) -> str:
    for length in range(len(path), 0, -1):
        prefix = dotted(path[:length])
        for key, origin in origins.items():
            if key == prefix or key.startswith(prefix + "."):
                return origin
    return next(iter(origins.values()), "configuration")


def _problem(error: Any, origins: Mapping[str, str]) -> list[str]:
    path, written = error["loc"], error["input"]
    key = _readable(path, origins)
    match error["type"]:
        case "extra_forbidden":
            return [f"unknown key {key}{_suggestion(path)}"]
        case "missing":
            return [f"{key} is missing"]
        case "literal_error":
            return [f"{key}: {written!r} is not one of {_choices(path)}"]
        case "value_error":
            told = str(error["ctx"]["error"]).split("\n")
            # A whole table's error is a sentence that already names what it is about.
            return told if _is_table(path) else [f"{key}: {line}" for line in told]
        case kind if kind in _WRONG_TYPE:
            return [f"{key}: {written!r} is not {_WRONG_TYPE[kind]}"]
        case _:
            return [f"{key}: {error['msg'][0].lower()}{error['msg'][1:]}, not {written!r}"]


def _is_table(path: tuple[str | int, ...]) -> bool:
    return not path or table_of(key_type(path)) is not None


def _readable(path: tuple[str | int, ...], origins: Mapping[str, str]) -> str:
    if path[:2] == ("repository", 0) and not any(key.startswith("repository.1.") for key in origins):
        path = ("repository", *path[2:])
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _choices(path: tuple[str | int, ...]) -> str:
    return ", ".join(_literal_words(key_type(path)))


def _literal_words(annotation: Any) -> list[str]:
    words: list[str] = []
    for argument in getattr(annotation, "__args__", ()):
        words += [argument] if isinstance(argument, str) else _literal_words(argument)
    return words


def _suggestion(path: tuple[str | int, ...]) -> str:
    import difflib  # only an error needs it

    table = table_of(key_type(path[:-1]))
    close = difflib.get_close_matches(str(path[-1]), table_fields(table) if table else (), n=1)
    return f" (did you mean {close[0]}?)" if close else ""
