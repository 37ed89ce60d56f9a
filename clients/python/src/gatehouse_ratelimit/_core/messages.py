from __future__ import annotations

from collections.abc import Iterable

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..values import BucketState, Charge, Sets


def check_request(sets: Sets) -> pb.CheckRequest:
    """The message of a check.

    Raises: TypeError or ValueError, if a charge is none or has members of other types
    """
    return pb.CheckRequest(sets=[pb.ChargeSet(charges=charge_messages(charges)) for charges in sets])


def charge_messages(charges: Iterable[Charge]) -> list[pb.Charge]:
    if isinstance(charges, Charge):
        raise TypeError("a check takes sets of charges: [[Charge(…)]]")
    return [
        pb.Charge(bucket=charge.bucket, identities=charge.identities, cost=charge.cost, lease_id=charge.lease_id)
        for charge in charges
    ]


def states_of(response: pb.PeekResponse) -> list[BucketState]:
    return [
        BucketState(state.bucket, state.limit, state.remaining, state.retry_after_us, state.empty_after_us)
        for state in response.states
    ]
