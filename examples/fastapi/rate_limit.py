"""A dependency that limits routes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Network, ip_address

from fastapi import HTTPException, Request
from gatehouse_ratelimit import AsyncRateLimits, Charge, Denial

Identify = Callable[[Request], str]


def limit(bucket: str, *identify: Identify, cost: int = 1) -> Callable[[Request], Awaitable[None]]:
    """Charges a bucket for each request. `identify` has one function for each part of the bucket's key.

    A denied request is answered with 429. The app has the client in `app.state.limits`.
    """

    async def dependency(request: Request) -> None:
        limits: AsyncRateLimits = request.app.state.limits
        denial = await limits.check([[Charge(bucket, *[one(request) for one in identify], cost=cost)]])
        if denial is not None:
            raise HTTPException(429, "You are being rate limited.", headers_of(denial))

    return dependency


def by_ip(request: Request) -> str:
    """The client's address: IPv4, or the /64 of IPv6. Behind a proxy, run uvicorn with --forwarded-allow-ips."""
    address = ip_address(request.client.host if request.client else "0.0.0.0")
    if address.version == 6 and address.ipv4_mapped is None:
        return f"ip:{IPv6Network((int(address), 64), strict=False)}"
    return f"ip:{address if address.version == 4 else address.ipv4_mapped}"


def by_api_key(request: Request) -> str:
    """The digest of the API key, so that the key itself stays here; the client's address without one."""
    key = request.headers.get("x-api-key")
    return by_ip(request) if key is None else f"credential:{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def headers_of(denial: Denial) -> dict[str, str]:
    return {
        "Retry-After": str(max(1, math.ceil(denial.retry_after))),
        "X-RateLimit-Limit": str(denial.limit),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": f"{denial.empty_after_us / 1_000_000:.3f}",
    }
