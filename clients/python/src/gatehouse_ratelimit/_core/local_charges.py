from __future__ import annotations

import base64
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..values import Charge
from .rules import Rule, Rules


@dataclass(frozen=True, slots=True)
class LocalCharge:
    """A charge of a bucket that this process knows."""

    rule: Rule
    key: str
    """The identities as one text."""
    cost: int
    leases: tuple[tuple[str, int], ...] = ()
    """Of a concurrency limit: the IDs of the leases and their permits, which add up to `cost`."""


class LocalCharges:
    """Finds this process's buckets. Login names, e-mail addresses and credentials are hashed with a secret."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def of(self, charges: Sequence[Charge], rules: Rules) -> list[LocalCharge]:
        """The charges whose names have a rule. A bucket that is named twice is charged the sum."""
        by_bucket: dict[tuple[str, str], LocalCharge] = {}
        for charge in charges:
            rule = rules.by_name.get(charge.bucket)
            if rule is None:
                continue
            key = self._key(rule, charge.identities)
            leases = () if charge.lease_id is None else ((charge.lease_id, charge.cost),)
            local = LocalCharge(rule, key, charge.cost, leases)
            earlier = by_bucket.get((rule.name, key))
            by_bucket[rule.name, key] = local if earlier is None else _sum(earlier, local)
        return list(by_bucket.values())

    def _key(self, rule: Rule, identities: Sequence[str]) -> str:
        texts = [
            self._hash(text) if index < len(rule.key) and _is_secret(rule.key[index], text) else text
            for index, text in enumerate(identities)
        ]
        # "|" and "~" in identities are escaped, so that no two lists of identities have the same key.
        return "|".join(text.replace("~", "~0").replace("|", "~1") for text in texts)

    def _hash(self, identity: str) -> str:
        digest = hmac.digest(self._secret, identity.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def _sum(earlier: LocalCharge, charge: LocalCharge) -> LocalCharge:
    permits = dict(earlier.leases)
    for lease_id, cost in charge.leases:
        permits[lease_id] = permits.get(lease_id, 0) + cost
    return replace(charge, cost=earlier.cost + charge.cost, leases=tuple(permits.items()))


_PERSONAL = {"login_name", "email"}
_MAY_BE_CREDENTIAL = {"client", "account_or_client", "client_ip_or_account"}
_HAS_KIND = re.compile("[a-z_]+:")
"""An identity with its kind, such as "account:1"; an Authorization header has none."""


def _is_secret(part: str, identity: str) -> bool:
    return part in _PERSONAL or (part in _MAY_BE_CREDENTIAL and _HAS_KIND.match(identity) is None)
