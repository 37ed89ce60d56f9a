"""Makes one check over mutual TLS: ADDRESS FOLDER NAME SERVER sync|async. Says who decided it, or the error."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from gatehouse_ratelimit import AsyncRateLimits, Charge, Counts, RatelimitError, RateLimits, Tls

address, folder, name, server, mode = sys.argv[1:]
tls = Tls(
    root_certificates=Path(folder, "ca.pem").read_bytes(),
    private_key=Path(folder, f"{name}-key.pem").read_bytes(),
    certificate_chain=Path(folder, f"{name}.pem").read_bytes(),
    server_name=f"{server}.gatehouse.internal",
)
GIF_SEARCH = [[Charge("gif:search", "account:1")]]


def check() -> Counts:
    with RateLimits(address, tls=tls, timeout=20) as limits:
        assert limits.check(GIF_SEARCH) is None
        return limits.counts


async def check_async() -> Counts:
    async with AsyncRateLimits(address, tls=tls, timeout=20) as limits:
        assert await limits.check(GIF_SEARCH) is None
        return limits.counts


try:
    counts = check() if mode == "sync" else asyncio.run(check_async())
    print("admitted by this process" if counts.local else "admitted by ratelimit")
except RatelimitError as error:
    print(error.code.name)
