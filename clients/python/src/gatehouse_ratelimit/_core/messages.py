from __future__ import annotations

from collections.abc import Iterable

import grpc

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError
from ..values import BucketState, Charge, Sets

_MAX_BYTES = 256 * 1024 - 64
"""ratelimit accepts no larger message, tag and timeout included: it would end the stream for all callers."""


def check_request(sets: Sets) -> pb.CheckRequest:
    """The message of a check.

    Raises: TypeError or ValueError, if a charge is none or has members of other types; RatelimitError INVALID_ARGUMENT,
    if it is too large
    """
    request = pb.CheckRequest(sets=[pb.ChargeSet(charges=charge_messages(charges)) for charges in sets])
    if request.ByteSize() > _MAX_BYTES:
        raise RatelimitError(grpc.StatusCode.INVALID_ARGUMENT, "a check has at most 256 KiB")
    return request


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
