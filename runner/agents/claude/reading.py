"""What the stream of Claude Code says about session, cost, end and trouble (exit codes alone say too little)."""

from dataclasses import dataclass, field, replace

from runner.agents.claude.costs import cost_of, session_cost_of, usage_of
from runner.agents.claude.judging import Trouble, judge
from runner.agents.claude.stream import Event, events, of_subagent, part, spoken, text, word
from runner.agents.protocol import Reading

SESSION_CHARACTERS = 200


@dataclass(slots=True)
class _Heard:
    """The stream while it is read. `said` are the closing words of each turn, `error` that of the last message."""

    session: str = ""
    results: list[Event] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    last: Event = field(default_factory=dict)
    message: list[str] = field(default_factory=list)
    refused_until: object = None

    def hear(self, event: Event) -> None:
        match word(event):
            case "init":
                self.session = text(event.get("session_id"))[:SESSION_CHARACTERS] or self.session
            case "assistant" if not of_subagent(event):
                self._hear_message(event)
            case "rate_limit_event":
                info = part(event.get("rate_limit_info"))
                self.refused_until = info.get("resetsAt") if info.get("status") == "rejected" else self.refused_until
            case "result":
                self.results.append(event)
                self._turn_ends(text(event.get("result")))

    def _hear_message(self, event: Event) -> None:
        # One line per block of a message; only the first of its texts is sure to be in the result line.
        same = _message_id(event) == _message_id(self.last)
        self.message = [*(self.message if same else []), *spoken(event)]
        self.last = event

    def _turn_ends(self, closing: str) -> None:
        words = "\n\n".join(self.message)
        self.said.append(words if closing in words else closing)
        self.message = []


def read(output: bytes, exit_code: int | None) -> Reading:  # noqa: ARG001 - the protocol's words
    """Session, words, cost and trouble; without a result line nothing but its exit code tells how it ended."""
    heard, printed = _Heard(), ""
    for event in events(output):
        if isinstance(event, dict):
            heard.hear(event)
        else:
            printed = event
    closing = [*heard.said, "\n\n".join(heard.message)]
    words = [each for each in closing if each]
    last = heard.results[-1] if heard.results else {}
    trouble = _trouble(heard, last, printed)
    return Reading(
        session_id=heard.session,
        # Without a first line there never was a session, or nobody can go on with it.
        session_over=trouble.session_over or (bool(last) and not heard.session),
        summary="" if trouble.words else (words[-1] if words else ""),
        text="\n\n".join(words).encode(),
        cost_usd=cost_of(heard.results),
        session_cost_usd=session_cost_of(heard.results),
        usage=usage_of(heard.results),
        stop_reason=" ".join(text(last.get("stop_reason")).split()),
        limited=trouble.limited,
        limited_until=trouble.until,
        unauthenticated=trouble.unauthenticated,
        failure=trouble.failure,
        trouble=trouble.words,
    )


def _trouble(heard: _Heard, last: Event, printed: str) -> Trouble:
    """What went wrong; of a program that printed no line of its stream, its last word on stderr (`printed`)."""
    if last or heard.last.get("error"):
        trouble = judge(last, heard.last, heard.refused_until)
        never_began = trouble.failure == "during_execution" and not heard.session
        return replace(trouble, failure="start_failed") if never_began else trouble
    return Trouble(words="" if heard.session else printed)


def _message_id(event: Event) -> str:
    return text(part(event.get("message")).get("id"))
