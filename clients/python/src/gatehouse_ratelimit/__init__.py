"""The client of Gatehouse's rate limits, for threads (RateLimits) and for asyncio (AsyncRateLimits)."""

from ._rpc.connection import Tls
from .aio import AsyncLease, AsyncRateLimits
from .client import RateLimits
from .errors import Denied, RatelimitError
from .leases import Lease
from .values import BucketState, Charge, Counts, Denial

__all__ = [
    "AsyncLease",
    "AsyncRateLimits",
    "BucketState",
    "Charge",
    "Counts",
    "Denial",
    "Denied",
    "Lease",
    "RateLimits",
    "RatelimitError",
    "Tls",
]
