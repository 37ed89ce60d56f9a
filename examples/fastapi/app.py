from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from gatehouse_ratelimit import AsyncRateLimits
from rate_limit import by_api_key, by_ip, limit


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    address = os.environ.get("RATELIMIT_ADDRESS", "127.0.0.1:8081")
    async with AsyncRateLimits(address) as limits:
        app.state.limits = limits
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/gifs", dependencies=[Depends(limit("gif:search", by_api_key))])
async def search(query: str) -> dict[str, str]:
    return {"found": query}


@app.get("/usernames/{name}", dependencies=[Depends(limit("auth:check-username", by_ip))])
async def is_available(name: str) -> dict[str, bool]:
    return {"available": name != "admin"}
