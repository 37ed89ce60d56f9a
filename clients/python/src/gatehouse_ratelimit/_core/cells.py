"""How buckets count, in integers only. A cell is one bucket's content; its rule has the limit and the window."""

from __future__ import annotations

from typing import Protocol

from .local_charges import LocalCharge
from .rules import Kind, Rule

_MAX_CAPACITY = (2**53 - 1) // 32
"""Units that a leaky bucket of ratelimit holds at most."""


class Cell(Protocol):
    """One bucket."""

    def wait(self, charge: LocalCharge, now_us: int) -> int:
        """Microseconds until the charge is admitted, if nothing else is charged; 0: now."""
        ...

    def take(self, charge: LocalCharge, now_us: int) -> None:
        """Charges the bucket. The charge must be admitted now."""
        ...

    def empty_after(self, rule: Rule, now_us: int) -> int:
        """Microseconds until the bucket is empty."""
        ...

    def raise_to(self, other: Cell, rule: Rule, now_us: int) -> None:
        """Makes this bucket deny whatever the other one denies."""
        ...


def new_cell(kind: Kind) -> Cell:
    """An empty bucket."""
    if kind is Kind.LEAKY_BUCKET:
        return LeakyBucket()
    return FixedWindow() if kind is Kind.FIXED_WINDOW else Leases()


def tick_of(rule: Rule) -> int:
    """The resolution of a leaky bucket's clock, in microseconds: coarser for large limits with long windows."""
    for tick_us in (1, 1_000):
        if rule.limit * (rule.window_us // tick_us) <= _MAX_CAPACITY:
            return tick_us
    return 1_000_000


def drain_time(rule: Rule, units: int, now_us: int) -> int:
    """Microseconds from `now_us` in which `units` drain from a leaky bucket, which drains `limit` units each tick."""
    tick_us = tick_of(rule)
    return _ceil_div(units, rule.limit) * tick_us - now_us % tick_us if units > 0 else 0


def drain_time_of(rule: Rule, tokens: int) -> int:
    """Microseconds in which a leaky bucket drains `tokens`, in whole ticks."""
    return drain_time(rule, tokens * _token_of(rule), 0)


class LeakyBucket:
    """Drains continuously. The level is in token·ticks: a token is as many units as a window has ticks."""

    def __init__(self) -> None:
        self._level = 0
        self._token = 1
        self._at_us = 0

    def wait(self, charge: LocalCharge, now_us: int) -> int:
        if charge.cost < 0:
            return 0
        token = _token_of(charge.rule)
        excess = self._level_at(charge.rule, now_us) + (max(1, charge.cost) - charge.rule.limit) * token
        return drain_time(charge.rule, excess, now_us)

    def take(self, charge: LocalCharge, now_us: int) -> None:
        token = _token_of(charge.rule)
        self._set(charge.rule, max(0, self._level_at(charge.rule, now_us) + charge.cost * token), now_us)

    def empty_after(self, rule: Rule, now_us: int) -> int:
        return drain_time(rule, self._level_at(rule, now_us), now_us)

    def raise_to(self, other: Cell, rule: Rule, now_us: int) -> None:
        assert isinstance(other, LeakyBucket)
        self._set(rule, max(self._level_at(rule, now_us), other._level_at(rule, now_us)), now_us)

    def _set(self, rule: Rule, level: int, now_us: int) -> None:
        tick_us = tick_of(rule)
        self._level, self._token, self._at_us = level, _token_of(rule), now_us - now_us % tick_us

    def _level_at(self, rule: Rule, now_us: int) -> int:
        """The level now. Under another window it is the same number of tokens, at most the limit."""
        tick_us, token = tick_of(rule), _token_of(rule)
        level = min(_ceil_div(self._level * token, self._token), rule.limit * token)
        elapsed = max(0, now_us // tick_us - _ceil_div(self._at_us, tick_us))
        return max(0, level - elapsed * rule.limit)


class FixedWindow:
    """Counts anew in each window. Windows begin at multiples of their length since the Unix epoch."""

    def __init__(self) -> None:
        self._start_us = 0
        self._count = 0

    def wait(self, charge: LocalCharge, now_us: int) -> int:
        count = self._count_at(charge.rule, now_us)
        is_admitted = charge.cost < 0 or count + max(1, charge.cost) <= charge.rule.limit
        return 0 if is_admitted else _rest_of_window(charge.rule, now_us)

    def take(self, charge: LocalCharge, now_us: int) -> None:
        self._set(charge.rule, max(0, self._count_at(charge.rule, now_us) + charge.cost), now_us)

    def empty_after(self, rule: Rule, now_us: int) -> int:
        return _rest_of_window(rule, now_us) if self._count_at(rule, now_us) > 0 else 0

    def raise_to(self, other: Cell, rule: Rule, now_us: int) -> None:
        assert isinstance(other, FixedWindow)
        self._set(rule, max(self._count_at(rule, now_us), other._count_at(rule, now_us)), now_us)

    def _set(self, rule: Rule, count: int, now_us: int) -> None:
        self._start_us, self._count = now_us - now_us % rule.window_us, count

    def _count_at(self, rule: Rule, now_us: int) -> int:
        return self._count if self._start_us >= now_us - now_us % rule.window_us else 0


class Leases:
    """Permits that leases hold until they are released or end."""

    def __init__(self) -> None:
        self._leases: dict[str, tuple[int, int]] = {}
        """Permits and end, by ID."""

    def wait(self, charge: LocalCharge, now_us: int) -> int:
        self._drop_ended(charge.rule, now_us)
        own = {lease_id for lease_id, _ in charge.leases}
        others = sorted((end, permits) for name, (permits, end) in self._leases.items() if name not in own)
        missing = sum(permits for _, permits in others) + charge.cost - charge.rule.limit
        for end_us, permits in others:
            if missing <= 0:
                return 0
            missing -= permits
            if missing <= 0:
                return end_us - now_us
        # A cost above the limit is never admitted.
        return 0 if missing <= 0 else charge.rule.window_us

    def take(self, charge: LocalCharge, now_us: int) -> None:
        free = charge.cost
        for lease_id, permits in charge.leases:
            held = min(permits, free)  # `cost` is less than the sum where it was cut to the share of this process
            free -= held
            self._leases[lease_id] = (held, now_us + charge.rule.window_us)

    def release(self, lease_id: str) -> None:
        self._leases.pop(lease_id, None)

    def empty_after(self, rule: Rule, now_us: int) -> int:
        self._drop_ended(rule, now_us)
        return max((end_us - now_us for _, end_us in self._leases.values()), default=0)

    def raise_to(self, other: Cell, rule: Rule, now_us: int) -> None:
        assert isinstance(other, Leases)
        for cell in (self, other):
            cell._drop_ended(rule, now_us)
        held = max(sum(permits for permits, _ in cell._leases.values()) for cell in (self, other))
        ends = [end_us for cell in (self, other) for _, end_us in cell._leases.values()]
        # Nobody can renew or release this lease: an ID has at least one byte.
        self._leases = {"": (held, max(ends))} if ends else {}

    def _drop_ended(self, rule: Rule, now_us: int) -> None:
        # A clock that went back never extends a lease.
        latest_us = now_us + rule.window_us
        self._leases = {
            lease_id: (permits, min(end_us, latest_us))
            for lease_id, (permits, end_us) in self._leases.items()
            if end_us > now_us
        }


def _token_of(rule: Rule) -> int:
    return rule.window_us // tick_of(rule)


def _rest_of_window(rule: Rule, now_us: int) -> int:
    return rule.window_us - now_us % rule.window_us


def _ceil_div(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
