from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from importlib import resources

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

_SECOND_US = 1_000_000


class Policy(Enum):
    """The decision of a bucket while ratelimit does not answer."""

    LOCAL = "local"
    OPEN = "open"
    CLOSED = "closed"


class Kind(Enum):
    """How a bucket counts."""

    LEAKY_BUCKET = "leaky_bucket"
    FIXED_WINDOW = "fixed_window"
    CONCURRENCY = "concurrency"


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the bucket reference."""

    name: str
    limit: int
    window_us: int
    key: tuple[str, ...] = ()
    policy: Policy = Policy.LOCAL
    kind: Kind = Kind.LEAKY_BUCKET


@dataclass(frozen=True, slots=True)
class Rules:
    """The bucket reference, by names and aliases."""

    revision: str
    """The revision of ListBuckets; empty for the built-in reference."""
    by_name: Mapping[str, Rule] = field(repr=False)


@cache
def built_in_rules() -> Rules:
    """The reference that this package was built with, without the buckets that callers cannot name."""
    rows = json.loads(resources.files("gatehouse_ratelimit").joinpath("buckets.json").read_text("utf-8"))
    own = {name: row for name, row in rows.items() if "limit" in row and not row.get("internal")}
    rules = {name: _built_in_rule(name, row) for name, row in own.items()}
    aliases = {name: rules[row["alias_of"]] for name, row in rows.items() if "alias_of" in row}
    return Rules("", rules | aliases)


def _built_in_rule(name: str, row: Mapping[str, object]) -> Rule:
    limit, window_seconds, key = row["limit"], row["window_seconds"], row["key"]
    if not (isinstance(limit, int) and isinstance(window_seconds, int) and isinstance(key, list)):
        raise ValueError(f"buckets.json: the row of {name} is not valid")
    policy, kind = Policy(row.get("policy", "local")), Kind(row.get("kind", "leaky_bucket"))
    return Rule(name, limit, window_seconds * _SECOND_US, tuple(key), policy, kind)


def served_rules(response: pb.ListBucketsResponse) -> Rules:
    """The reference that ratelimit serves."""
    return Rules(response.revision, dict(_named(response.buckets)))


def _named(buckets: Iterable[pb.Bucket]) -> Iterable[tuple[str, Rule]]:
    for bucket in buckets:
        rule = Rule(
            bucket.name,
            bucket.limit,
            bucket.window_seconds * _SECOND_US,
            tuple(bucket.key),
            _POLICIES.get(bucket.policy, Policy.LOCAL),
            _KINDS.get(bucket.kind, Kind.LEAKY_BUCKET),
        )
        for name in (bucket.name, *bucket.aliases):
            yield name, rule


_POLICIES: Mapping[int, Policy] = {
    pb.FAILURE_POLICY_LOCAL: Policy.LOCAL,
    pb.FAILURE_POLICY_OPEN: Policy.OPEN,
    pb.FAILURE_POLICY_CLOSED: Policy.CLOSED,
}
_KINDS: Mapping[int, Kind] = {
    pb.LIMIT_KIND_LEAKY_BUCKET: Kind.LEAKY_BUCKET,
    pb.LIMIT_KIND_FIXED_WINDOW: Kind.FIXED_WINDOW,
    pb.LIMIT_KIND_CONCURRENCY: Kind.CONCURRENCY,
}
