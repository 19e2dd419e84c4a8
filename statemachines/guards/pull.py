"""Questions about the pull request as it was last read, in the order of the decision (SPEC 5)."""

from statemachines.guards.verdict import Verdict, gives, no, yes
from statemachines.policies.checks import CiValue
from statemachines.policies.reading import Reading, reading_of
from statemachines.policies.review import ReviewValue
from statemachines.snapshots.pull import Incomplete, Mergeable, Pull, PullState
from statemachines.snapshots.run import EffectFacts, RunSnapshot
from statemachines.words import Code, EffectState

GONE_AFTER = 3
UNREAD = no("the pull request was not read whole")


def was_told(snap: RunSnapshot, event: str, about: str) -> bool:
    """Whether the owner was told of this already."""
    return f"tell run={snap.id} {event} {about}".strip() in snap.effect_by_key


@gives(Code.GONE)
def pull_gone_untold(snap: RunSnapshot) -> Verdict:
    """The forge says three times running that there is no such pull request, and the owner does not know yet"""
    gone = pull_gone(snap)
    return Verdict(gone.holds and not was_told(snap, "gone", ""), gone.because, gone.code)


@gives(Code.GONE)
def pull_gone(snap: RunSnapshot) -> Verdict:
    """The forge says three times running that there is no such pull request"""
    if isinstance(snap.pull, Incomplete) and snap.pull.missing >= GONE_AFTER:
        return yes(f"the forge has no pull request #{snap.pull_number}: {snap.pull.why}", Code.GONE)
    return no("the forge knows the pull request")


@gives(Code.SNAPSHOT_INCOMPLETE)
def snapshot_incomplete(snap: RunSnapshot) -> Verdict:
    """The pull request could not be read whole"""
    if snap.open_pull is not None:
        return no("the pull request was read whole")
    why = snap.pull.why if isinstance(snap.pull, Incomplete) else "it was not read yet"
    return yes(f"pull request #{snap.pull_number}: {why}", Code.SNAPSHOT_INCOMPLETE)


def merged(snap: RunSnapshot) -> Verdict:
    """It is merged"""
    pull = snap.open_pull
    if pull is not None and pull.state is PullState.MERGED:
        return yes(f"pull request #{pull.number} is merged")
    return no("it is not merged")


@gives(Code.CLOSED_UNMERGED)
def closed(snap: RunSnapshot) -> Verdict:
    """It is closed and not merged"""
    pull = snap.open_pull
    if pull is not None and pull.state is PullState.CLOSED:
        return yes(f"pull request #{pull.number} was closed without merging", Code.CLOSED_UNMERGED)
    return no("it is not closed")


def owner_spoke(snap: RunSnapshot) -> Verdict:
    """The owner wrote on the finished draft"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    if reading.pull.draft and reading.news:
        return yes(f"{snap.policy.owner} wrote on the finished draft ({', '.join(reading.news)})")
    return no("the owner wrote nothing new on the draft")


def head_moved(snap: RunSnapshot) -> Verdict:
    """Its head is another than the completed one"""
    pull = snap.open_pull
    if pull is None:
        return UNREAD
    if pull.head != snap.completed_head:
        return yes(f"the head moved from {snap.completed_head[:9]} to {pull.head[:9]}")
    return no("the head is the completed one")


def regressed(snap: RunSnapshot) -> Verdict:
    """While draft: CI is red, base conflicts, or feedback is open again"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    if not reading.pull.draft:
        return no("it is no draft any more")
    if reading.ci.value is CiValue.RED:
        return yes(reading.ci.because)
    if reading.conflict:
        return yes("base and head conflict")
    if reading.open_items:
        return yes(_items_because(reading))
    return no("nothing regressed")


@gives(Code.AWAITING_MERGE)
def awaiting_merge(snap: RunSnapshot) -> Verdict:
    """It waits for its owner"""
    return yes(f"pull request #{snap.pull_number} is ready for {snap.policy.owner}", Code.AWAITING_MERGE)


@gives(Code.DIVERGED)
def push_diverged_untold(snap: RunSnapshot) -> Verdict:
    """Our push was refused because somebody else pushed, and the owner does not know yet"""
    diverged = push_diverged(snap)
    told = was_told(snap, "diverged", f"mark={snap.reset_mark}")
    return Verdict(diverged.holds and not told, diverged.because, diverged.code)


@gives(Code.DIVERGED)
def push_diverged(snap: RunSnapshot) -> Verdict:
    """Our push was refused because somebody else pushed, and the two do not merge"""
    effect = next((each for each in _failures(snap) if each.code == Code.DIVERGED), None)
    if effect is not None:
        return yes(effect.because, Code.DIVERGED)
    return no("no push diverged")


def _failures(snap: RunSnapshot) -> list[EffectFacts]:
    return [each for each in snap.effects if each.forge and each.state is EffectState.FAILED]


@gives(Code.PUSHING)
def writing(snap: RunSnapshot) -> Verdict:
    """A write of ours to the forge is pending or failed"""
    failed = _failures(snap)
    if failed:
        return yes(f"{failed[0].effect} failed: {failed[0].because}", Code.PUSHING)
    pending = next((each for each in snap.effects if each.forge and each.state is EffectState.PENDING), None)
    if pending is not None:
        return yes(f"{pending.effect} is under way" + (f": {pending.because}" if pending.because else ""), Code.PUSHING)
    return no("no write of ours is pending")


@gives(Code.HEAD_LAG)
def head_lag(snap: RunSnapshot) -> Verdict:
    """Our pushed head is not visible yet"""
    pull = snap.open_pull
    if pull is None:
        return UNREAD
    lag = snap.policy.traits.head_lag
    behind = bool(snap.expected_head) and pull.head != snap.expected_head
    if behind and snap.pushed_at is not None and snap.now - snap.pushed_at < lag:
        return yes(f"pushed {snap.expected_head[:9]}, the forge still shows {pull.head[:9]}", Code.HEAD_LAG)
    return no("the forge shows what was pushed")


@gives(Code.HEAD_LAG)
def write_unseen(snap: RunSnapshot) -> Verdict:
    """A write of ours was delivered and does not show yet"""
    pull, lag = snap.open_pull, snap.policy.traits.head_lag
    if pull is None:
        return UNREAD
    for effect in snap.effects:
        if effect.state is EffectState.DELIVERED and snap.now - effect.at < lag and _hidden(effect, pull):
            return yes(f"{effect.effect} was delivered, the forge does not show it yet", Code.HEAD_LAG)
    return no("what we wrote is shown")


def _hidden(effect: EffectFacts, pull: Pull) -> bool:
    if effect.effect == "AddLabels":
        asked = effect.payload.get("labels")
        there = {label.lower() for label in pull.labels}
        return isinstance(asked, (list, tuple)) and any(str(label).lower() not in there for label in asked)
    if effect.effect not in {"Reply", "SubmitReview"}:
        return False
    posted = effect.result.get("id")
    return isinstance(posted, int) and posted not in _shown(pull)


def _shown(pull: Pull) -> set[int]:
    words = {comment.id for thread in pull.threads for comment in thread.comments}
    return words | {comment.id for comment in pull.comments} | {review.id for review in pull.reviews}


@gives(Code.MERGE_QUEUE)
def in_merge_queue(snap: RunSnapshot) -> Verdict:
    """It is in the merge queue"""
    if snap.open_pull is not None and snap.open_pull.in_merge_queue:
        return yes("it is in the merge queue", Code.MERGE_QUEUE)
    return no("it is not in a merge queue")


def missing_labels(snap: RunSnapshot) -> tuple[str, ...]:
    """Required labels that the draft lacks, sorted; compared as the forge does, without case."""
    pull = snap.open_pull
    if pull is None or not pull.draft:
        return ()
    there = {label.lower() for label in pull.labels}
    return tuple(sorted(label for label in snap.policy.labels if label.lower() not in there))


def label_missing(snap: RunSnapshot) -> Verdict:
    """A required label is missing on the draft"""
    missing = missing_labels(snap)
    key = f"label run={snap.id} labels={','.join(missing)}"
    if missing and key not in snap.effect_by_key:
        return yes(f"without the required label {', '.join(missing)}")
    return no("every required label is there or was added once")


def conflicted(snap: RunSnapshot) -> Verdict:
    """Base and head conflict"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    if reading.conflict:
        return yes(f"{reading.pull.branch} conflicts with {reading.pull.base}")
    return no("base and head merge")


def items_open(snap: RunSnapshot) -> Verdict:
    """Feedback is open"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    if reading.open_items:
        return yes(_items_because(reading))
    return no("no feedback is open")


def _items_because(reading: Reading) -> str:
    authors = ", ".join(sorted({item.author for item in reading.open_items}))
    return f"{len(reading.open_items)} open: {', '.join(item.id for item in reading.open_items)} (by {authors})"


@gives(Code.WAITS_FOR_REVIEWER)
def reviewer_unasked(snap: RunSnapshot) -> Verdict:
    """A person's answered feedback stands, and they were not asked again"""
    waits = waits_for_reviewer(snap)
    return Verdict(waits.holds and unasked_item(snap) is not None, waits.because, waits.code)


def unasked_item(snap: RunSnapshot) -> tuple[str, str, str] | None:
    """(item, revision, author) of the first answered item whose author was not asked to look again."""
    reading = reading_of(snap)
    answered = [item for item in reading.answered if item.by_person] if reading else []
    for item in answered:
        if f"ask run={snap.id} item={item.id} revision={item.revision}" not in snap.effect_by_key:
            return item.id, item.revision, item.author
    return None


@gives(Code.WAITS_FOR_REVIEWER)
def waits_for_reviewer(snap: RunSnapshot) -> Verdict:
    """Feedback of people is answered and waits for their word"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    waiting = [item for item in reading.answered if item.by_person]
    if waiting:
        names = ", ".join(sorted({item.author for item in waiting}))
        return yes(f"{len(waiting)} answered, waits for {names}", Code.WAITS_FOR_REVIEWER)
    return no("no answered feedback waits for a person")


def review_wanted(snap: RunSnapshot) -> Verdict:
    """There is no verdict on this head, or it is stale"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    wanted = reading.verdict.value in (ReviewValue.NONE, ReviewValue.STALE)
    return Verdict(wanted, reading.verdict.because)


def review_asks_changes(snap: RunSnapshot) -> Verdict:
    """The review asks for changes"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    return Verdict(reading.verdict.value is ReviewValue.CHANGES, reading.verdict.because)


def all_green(snap: RunSnapshot) -> Verdict:
    """It merges, CI is green, nothing is open, the review of this head is green"""
    reading = reading_of(snap)
    if reading is None:
        return UNREAD
    green = reading.ci.value is CiValue.GREEN and reading.verdict.value is ReviewValue.GREEN
    ready = green and not reading.open_items and reading.pull.mergeable == Mergeable.YES
    return Verdict(ready, f"{reading.ci.because}; {reading.verdict.because}; nothing is open")


@gives(Code.SNAPSHOT_INCOMPLETE)
def merging_unknown(snap: RunSnapshot) -> Verdict:
    """It is not known yet whether base and head merge"""
    # The last arrow of its state: it holds for whatever fell through, so that one is always chosen.
    pull = snap.open_pull
    if pull is not None and pull.mergeable == Mergeable.CONFLICT:
        return yes(
            "the forge says that base and head conflict; a second look must confirm it", Code.SNAPSHOT_INCOMPLETE
        )
    return yes("the forge has not said yet whether base and head merge", Code.SNAPSHOT_INCOMPLETE)
