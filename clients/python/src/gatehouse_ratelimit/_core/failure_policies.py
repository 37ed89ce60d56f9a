from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .denial_cache import DenialCache, LocalDenial
from .local_charges import LocalCharge
from .local_store import MAX_BUCKETS, LocalStore
from .rules import Policy, Rule, Rules

_CLOSED_WAIT_US = 1_000_000


class FailurePolicies:
    """Decides checks by each bucket's failure policy.

    `local` counts in a bucket of this process, whose limit is the process's share of the rule's limit. `open` admits,
    `closed` denies for a second. Remembered denials still hold. Sets are charged as by ratelimit.
    """

    def __init__(self, replicas: int, remembered: DenialCache, max_buckets: int = MAX_BUCKETS) -> None:
        self._replicas = replicas
        self._remembered = remembered
        self._store = LocalStore(max_buckets)

    def decide(self, sets: Iterable[Sequence[LocalCharge]], now_us: int) -> LocalDenial | None:
        for charges in sets:
            denial = self._decide_set(charges, now_us)
            if denial is not None:
                return denial
        return None

    def release(self, charges: Iterable[LocalCharge]) -> None:
        """Releases leases that were granted here."""
        for charge in charges:
            self._store.release(charge)

    def set_rules(self, rules: Rules) -> None:
        """Empties the buckets of removed rules. The others keep their levels."""
        self._store.keep_only({rule.name for rule in rules.by_name.values()})

    def _decide_set(self, charges: Sequence[LocalCharge], now_us: int) -> LocalDenial | None:
        counted = [self._local(charge) for charge in charges if charge.rule.policy is Policy.LOCAL]
        closed = next((charge.rule for charge in charges if charge.rule.policy is Policy.CLOSED), None)
        denials = [denial] if (denial := self._remembered.longest(charges, now_us)) is not None else []
        if closed is not None:
            denials.append(LocalDenial(closed, _CLOSED_WAIT_US, _CLOSED_WAIT_US))
        if denials:
            denials += [_whole(denial, charges) for denial in self._store.denials(counted, now_us)]
            return max(denials, key=lambda denial: denial.retry_after_us)
        denial = self._store.decide(counted, now_us)
        return None if denial is None else _whole(denial, charges)

    def _local(self, charge: LocalCharge) -> LocalCharge:
        """The charge under this process's share of the limit, at least one token.

        A cost above the share but within the limit takes the whole share; otherwise it would never be admitted.
        """
        share = max(1, charge.rule.limit // self._replicas)
        most = share + 1 if charge.cost > charge.rule.limit else share
        return replace(charge, rule=replace(charge.rule, limit=share), cost=min(charge.cost, most))


def _whole(denial: LocalDenial, charges: Sequence[LocalCharge]) -> LocalDenial:
    """The denial under the rule with the whole limit."""
    rules: dict[str, Rule] = {charge.rule.name: charge.rule for charge in charges}
    return replace(denial, rule=rules[denial.rule.name])
