from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError, unavailable
from ..values import Charge, Counts, Denial, Sets
from .breaker import Breaker
from .clock import Clock
from .denial_cache import DenialCache, LocalDenial
from .failure_policies import FailurePolicies
from .local_charges import LocalCharge, LocalCharges
from .messages import check_request
from .outage_log import OutageLog, log
from .rules import Rules, built_in_rules, served_rules

_REFRESH_EVERY_US = 5_000_000
_REFRESH_TIMEOUT_US = 2_000_000
_PROBE_EVERY_US = 200_000


@dataclass(frozen=True, slots=True)
class Call:
    """A check that ratelimit must decide."""

    request: pb.CheckRequest
    sets: Sets
    sent_us: int
    number: int


@dataclass(slots=True)
class _Counts:
    checks: int = 0
    remembered: int = 0
    local: int = 0
    degraded: int = 0
    denied: dict[str, int] = field(default_factory=dict)


class Core:
    """All decisions of a client. `begin` a check; if it returns a Call, make it and pass its outcome on.

    Reading the rules is also the breaker's probe: the client does it whenever `refresh_in` is over.
    """

    def __init__(self, *, timeout_us: int, replicas: int, now_us: Clock, on_open: Callable[[], None]) -> None:
        self._now_us = now_us
        self._rules = built_in_rules()
        self._charges = LocalCharges()
        self._denials = DenialCache()
        self._policies = FailurePolicies(replicas, self._denials)
        self._breaker = Breaker(timeout_us, lambda: self._opened(on_open))
        self._outage = OutageLog()
        self._counts = _Counts()
        self._refresh_at_us = now_us()

    @property
    def is_open(self) -> bool:
        """Whether the circuit breaker is open: no calls may be made."""
        return self._breaker.is_open

    def counts(self) -> Counts:
        counts = self._counts
        return Counts(counts.checks, counts.remembered, counts.local, counts.degraded, dict(counts.denied))

    def begin(self, sets: Sets) -> Call | Denial | None:
        """Decides a check if no call is needed."""
        request = check_request(sets)
        self._counts.checks += 1
        now_us = self._now_us()
        known = self._recall(sets, now_us)
        if known is not None:
            self._counts.remembered += 1
            return self._denied(known)
        if self._breaker.is_open:
            return self._decide_locally(sets, None, now_us)
        return Call(request, sets, now_us, self._breaker.number())

    def answered(self, call: Call, response: pb.CheckResponse) -> Denial | None:
        """The result of a check that ratelimit has decided."""
        now_us = self._now_us()
        self._breaker.succeeded(now_us)
        if response.degraded:
            self._counts.degraded += 1
        if not response.HasField("denial"):
            return None
        found = response.denial
        denial = Denial(found.bucket, found.limit, found.retry_after_us, found.empty_after_us)
        # A denial by a failure policy is not remembered: the bucket itself may admit a moment later.
        if not response.degraded:
            self._remember(call, denial, now_us)
        return self._denied(denial)

    def failed(self, call: Call, error: RatelimitError) -> Denial | None:
        """The result of a check whose call failed.

        Raises: the error, if it is no outage
        """
        if not error.is_outage:
            raise error
        now_us = self._now_us()
        self._breaker.failed(call.number, now_us)
        return self._decide_locally(call.sets, error, now_us)

    def require_closed(self) -> None:
        """Raises: RatelimitError UNAVAILABLE, while the breaker is open"""
        if self._breaker.is_open:
            raise unavailable("ratelimit does not answer")

    def call_succeeded(self) -> None:
        """Call it after a call that was no check. Its failures do not count: they may be those of ratelimit's store."""
        self._breaker.succeeded(self._now_us())

    def refunded(self, charges: Sequence[Charge]) -> None:
        """Call it after every refund. One that failed may have happened nevertheless."""
        local = self._charges.of(charges, self._rules)
        for charge in local:
            self._denials.forget(charge)
        self._policies.release(local)

    def window_of(self, bucket: str) -> float | None:
        """The window of a bucket in seconds, if it is known."""
        rule = self._rules.by_name.get(bucket)
        return None if rule is None else rule.window_us / 1_000_000

    def refresh_in(self) -> float:
        """Seconds until the rules must be read again; while the breaker is open, until the next probe."""
        return max(0, self._refresh_at_us - self._now_us()) / 1_000_000

    def refresh_timeout(self) -> float:
        return (_PROBE_EVERY_US if self._breaker.is_open else _REFRESH_TIMEOUT_US) / 1_000_000

    def refreshed(self, response: pb.ListBucketsResponse | RatelimitError) -> None:
        """Applies the rules that ratelimit serves. An answer closes the breaker, a refusal too."""
        now_us = self._now_us()
        has_answered = not isinstance(response, RatelimitError) or response.is_refusal
        if has_answered and self._breaker.is_open:
            self._breaker.close()
            self._outage.outage_ended()
        self._refresh_at_us = now_us + (_PROBE_EVERY_US if self._breaker.is_open else _REFRESH_EVERY_US)
        if not isinstance(response, RatelimitError) and response.revision != self._rules.revision:
            self._set_rules(served_rules(response))

    def _set_rules(self, rules: Rules) -> None:
        if self._rules.revision != "":
            log.info("ratelimit has other rules: revision %s", rules.revision)
        self._rules = rules
        self._policies.set_rules(rules)
        self._denials.clear()

    def _opened(self, on_open: Callable[[], None]) -> None:
        self._refresh_at_us = self._now_us() + _PROBE_EVERY_US
        on_open()

    def _recall(self, sets: Sets, now_us: int) -> Denial | None:
        """The remembered denial of the first set. The sets before another one must still be charged."""
        if not sets or len(self._denials) == 0:
            return None
        known = self._denials.recall(self._charges.of(sets[0], self._rules), now_us)
        return None if known is None else _denial_of(known)

    def _remember(self, call: Call, denial: Denial, now_us: int) -> None:
        check = [charge for charges in call.sets for charge in self._charges.of(charges, self._rules)]
        named = [charge for charge in check if charge.rule.name == denial.bucket]
        # With several charges of that name, the response does not say which one it denied. With another limit, it
        # follows rules that are not known here yet.
        if len(named) != 1 or named[0].rule.limit != denial.limit:
            return
        local = LocalDenial(named[0].rule, denial.retry_after_us, denial.empty_after_us)
        self._denials.remember(named[0], local, call.sent_us, now_us)

    def _decide_locally(self, sets: Sets, cause: RatelimitError | None, now_us: int) -> Denial | None:
        self._counts.local += 1
        self._outage.decided_locally(cause, now_us)
        denial = self._policies.decide((self._local(charges) for charges in sets), now_us)
        return None if denial is None else self._denied(_denial_of(denial))

    def _local(self, charges: Sequence[Charge]) -> list[LocalCharge]:
        return self._charges.of(charges, self._rules)

    def _denied(self, denial: Denial) -> Denial:
        self._counts.denied[denial.bucket] = self._counts.denied.get(denial.bucket, 0) + 1
        return denial


def _denial_of(denial: LocalDenial) -> Denial:
    return Denial(denial.rule.name, denial.rule.limit, denial.retry_after_us, denial.empty_after_us)
