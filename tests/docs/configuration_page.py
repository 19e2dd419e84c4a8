"""Writes the table of keys in docs/reference/configuration.md: `python -m tests.docs.configuration_page`."""

import ast
import inspect
import json
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from runner.config.schema import table_of
from runner.config.settings import Settings
from runner.config.values import Table, duration_text, parse_duration, parse_money, parse_size, size_text

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "configuration.md"
MARK = "<!-- made by: python -m tests.docs.configuration_page -->\n"


NOT_IN_FORCE = frozenset(
    {
        "repository.clone_url",
        "forge.api_url",
        "forge.token_env",
        "forge.webhook_secret_env",
        "forge.dwell",
        "forge.publish",
        "hooks.before_remove",
        "workers.keep_logs",
        "analysis",
        "agents.NAME.local",
        "agents.NAME.price",
        "roles.NAME.estimate_usd",
        "routing.complexity",
        "budget",
        "questions",
        "dispatch.engine",
        "serve",
        "sources",
        "filters",
    }
)
"""Tables and keys that are read and checked, but that nothing acts on in this version."""
NOT_YET = "*Not in force yet.* "


def not_yet(path: str) -> str:
    return NOT_YET if path in NOT_IN_FORCE else ""


def unchanged(value: Any) -> Any:
    return value


TEXT_OF: dict[str, Callable[[Any], Any]] = {"duration": duration_text, "size": size_text, "USD": str}


def page() -> str:
    """The whole page: what was written by hand, then every table with its keys."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return by_hand + MARK + "\n" + "\n".join(sections(Settings, ""))


def sections(table: type[Table], prefix: str) -> list[str]:
    made: list[str] = []
    for name, field in table.model_fields.items():
        inner = table_of(field.annotation)
        if inner is None or (prefix and name in Settings.model_fields):
            continue
        assert issubclass(inner, Table)
        path = f"{prefix}{field.alias or name}" + (".NAME" if typing.get_origin(field.annotation) is dict else "")
        title = f"[[{path}]]" if typing.get_origin(field.annotation) is tuple else f"[{path}]"
        made += [section(title, path, inner), *sections(inner, f"{path}.")]
    return made


def section(title: str, path: str, table: type[Table]) -> str:
    told = meanings(table)
    rows = [
        f"| `{name}` | {form(field)} | {default(field)} | {not_yet(f'{path}.{name}')}{told[name]} |"
        for name, field in table.model_fields.items()
        if name in told
    ]
    doc = not_yet(path) + (inspect.getdoc(table) or "").split("\n")[0]
    return "\n".join(
        [f"### `{title}`", "", doc, "", "| key | form | default | meaning |", "|---|---|---|---|", *rows, ""]
    )


def meanings(table: type[Table]) -> dict[str, str]:
    """The sentence below each key in the source."""
    (node,) = ast.parse(inspect.getsource(table)).body
    assert isinstance(node, ast.ClassDef)
    pairs = zip(node.body, node.body[1:], strict=False)
    return {
        key.target.id: ast.literal_eval(text.value)
        for key, text in pairs
        if isinstance(key, ast.AnnAssign) and isinstance(key.target, ast.Name) and isinstance(text, ast.Expr)
    }


def form(field: FieldInfo) -> str:
    functions = {getattr(part, "func", None) for part in field.metadata}
    for parser, word in ((parse_duration, "duration"), (parse_size, "size"), (parse_money, "USD")):
        if parser in functions:
            return word
    return plain_form(field.annotation)


def plain_form(annotation: Any) -> str:
    arguments = [argument for argument in typing.get_args(annotation) if argument is not type(None)]
    if inner := table_of(annotation):
        return (
            f"table ({', '.join(inner.model_fields)})"
            if typing.get_origin(annotation) is not tuple
            else "list of tables"
        )
    if all(isinstance(argument, str) for argument in arguments) and arguments:
        return " \\| ".join(f"`{word}`" for word in arguments)
    if typing.get_origin(annotation) is tuple:
        return "list"
    if typing.get_origin(annotation) is dict:
        return "table"
    if arguments:
        return plain_form(arguments[0])
    return {"str": "text", "int": "number", "bool": "true, false", "Path": "path"}[annotation.__name__]


def default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if value is None or (isinstance(value, Table)):
        return ""
    return f"`{json.dumps(TEXT_OF.get(form(field), unchanged)(value))}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
