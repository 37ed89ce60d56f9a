from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cells import drain_time_of
from .local_charges import LocalCharge
from .rules import Kind, Rule

MAX_DENIALS = 65_536


@dataclass(frozen=True, slots=True)
class LocalDenial:
    """A denial of a bucket that this process knows. Waits are in microseconds."""

    rule: Rule
    retry_after_us: int
    empty_after_us: int


@dataclass(frozen=True, slots=True)
class _Entry:
    rule: Rule
    cost: int
    since_us: int
    until_us: int
    """When it stops denying."""
    retry_at_us: int
    """When the reported waits end."""
    empty_at_us: int


class DenialCache:
    """Denials that still hold. Only time lets a bucket admit what it has denied, whatever other callers do.

    A refund ends a denial earlier: the caller must `forget` it. Denials of concurrency limits are never remembered,
    since any other caller may release permits.
    """

    def __init__(self, max_denials: int = MAX_DENIALS) -> None:
        # Two generations instead of a list: the oldest entries are dropped without a search.
        self._half = max_denials // 2
        self._young: dict[tuple[str, str], _Entry] = {}
        self._old: dict[tuple[str, str], _Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def recall(self, first_set: Sequence[LocalCharge], now_us: int) -> LocalDenial | None:
        """The denial of a check, if its first set has one bucket. Of several, another may deny for longer by now."""
        if len(first_set) != 1 or first_set[0].cost < 1:
            return None
        return self._denial_of(first_set[0], now_us)

    def longest(self, charges: Sequence[LocalCharge], now_us: int) -> LocalDenial | None:
        """The denial with the longest wait among these buckets."""
        denials = [denial for charge in charges if (denial := self._denial_of(charge, now_us)) is not None]
        return max(denials, key=lambda denial: denial.retry_after_us, default=None)

    def remember(self, charge: LocalCharge, denial: LocalDenial, sent_us: int, now_us: int) -> None:
        """Remembers the denial of a check that was sent at `sent_us`.

        It denies as if it had been decided then, so that it never denies a charge that the bucket would admit, and
        reports waits as if it were new, so that a caller that waits is admitted.
        """
        age_us = now_us - sent_us
        if charge.rule.kind is Kind.CONCURRENCY or denial.retry_after_us <= age_us:
            return
        cost = max(1, charge.cost)
        known = self._find(charge, now_us)
        if known is not None and known.cost < cost:
            return  # the denial of a lower cost also denies higher ones
        self.forget(charge)
        retry_at_us = now_us + denial.retry_after_us
        empty_at_us = now_us + denial.empty_after_us
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        entry = _Entry(charge.rule, cost, now_us, retry_at_us - age_us, retry_at_us, empty_at_us)
        self._young[charge.rule.name, charge.key] = entry

    def forget(self, charge: LocalCharge) -> None:
        self._young.pop((charge.rule.name, charge.key), None)
        self._old.pop((charge.rule.name, charge.key), None)

    def clear(self) -> None:
        self._young.clear()
        self._old.clear()

    def _denial_of(self, charge: LocalCharge, now_us: int) -> LocalDenial | None:
        entry = self._find(charge, now_us)
        cost = max(1, charge.cost)
        if entry is None or charge.cost < 0 or cost < entry.cost:
            return None
        # A leaky bucket makes a higher cost wait for the difference too, at most 1 µs longer than necessary.
        is_leaky = charge.rule.kind is Kind.LEAKY_BUCKET
        more_us = drain_time_of(charge.rule, cost - entry.cost) if is_leaky else 0
        return LocalDenial(charge.rule, entry.retry_at_us - now_us + more_us, max(0, entry.empty_at_us - now_us))

    def _find(self, charge: LocalCharge, now_us: int) -> _Entry | None:
        """The entry, if it holds under the charge's rule. Drops it if its time is over."""
        name = (charge.rule.name, charge.key)
        entry = self._young.get(name) or self._old.get(name)
        if entry is None:
            return None
        # With a clock that went back, its wait would grow.
        if not entry.since_us <= now_us < entry.until_us:
            self.forget(charge)
            return None
        return entry if _counts_alike(entry.rule, charge.rule) else None


def _counts_alike(first: Rule, second: Rule) -> bool:
    return (first.limit, first.window_us, first.kind) == (second.limit, second.window_us, second.kind)
