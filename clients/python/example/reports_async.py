import asyncio
import os

from gatehouse_ratelimit import AsyncRateLimits, Charge


async def main() -> None:
    address = os.environ.get("RATELIMIT_ADDRESS", "127.0.0.1:8081")
    async with AsyncRateLimits(address, timeout=5) as limits:
        charges = [Charge("report", "account:1002")]
        denials = await asyncio.gather(*[limits.check([charges]) for _ in range(12)])
        print(f"{denials.count(None)} of {len(denials)} reports are taken")


asyncio.run(main())
