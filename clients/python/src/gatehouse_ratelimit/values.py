from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, init=False, slots=True)
class Charge:
    """One bucket, and the tokens to charge or the permits to hold.

    `identities` has one text for each part of the bucket's key, in the key's order. `lease_id` names the lease of a
    concurrency limit, and is for these limits only.
    """

    bucket: str
    identities: tuple[str, ...]
    cost: int
    lease_id: str | None

    def __init__(self, bucket: str, *identities: str, cost: int = 1, lease_id: str | None = None) -> None:
        object.__setattr__(self, "bucket", bucket)
        object.__setattr__(self, "identities", identities)
        object.__setattr__(self, "cost", cost)
        object.__setattr__(self, "lease_id", lease_id)


Sets: TypeAlias = Sequence[Sequence[Charge]]
"""Sets of charges. Each is charged as a whole or not at all, in order, up to the first that denies."""


@dataclass(frozen=True, slots=True)
class Denial:
    """The bucket that denies. Waits are in microseconds."""

    bucket: str
    limit: int
    retry_after_us: int
    empty_after_us: int

    @property
    def retry_after(self) -> float:
        """Seconds until the same charge is admitted, if nothing else charges the bucket."""
        return self.retry_after_us / 1_000_000


@dataclass(frozen=True, slots=True)
class BucketState:
    """The level of a bucket. Waits are in microseconds."""

    bucket: str
    limit: int
    remaining: int
    """Whole tokens, or permits, that would be admitted now."""
    retry_after_us: int
    """Microseconds until one token is admitted; 0: now."""
    empty_after_us: int


@dataclass(frozen=True, slots=True)
class Counts:
    """A client's counts since its creation."""

    checks: int
    remembered: int
    """Checks denied by a remembered denial, without a call to ratelimit."""
    local: int
    """Checks that this process decided, because ratelimit did not answer."""
    degraded: int
    """Checks that ratelimit decided without its store."""
    denied: Mapping[str, int]
    """Denials, by the bucket's name."""
