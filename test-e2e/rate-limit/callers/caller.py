"""Plays callers with the Python client: takes the path of a plan, and writes a line for each step.

../exactness/records.ts has both formats.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from typing import Any

from gatehouse_ratelimit import AsyncRateLimits, Charge

ended = threading.Event()


async def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    threading.Thread(target=wait_for_end, daemon=True).start()
    timeout = plan["timeout_ms"] / 1000
    addresses = {caller["address"] for caller in plan["callers"]}
    clients = {address: AsyncRateLimits(address, timeout=timeout) for address in addresses}
    await asyncio.gather(*[play(clients[caller["address"]], caller) for caller in plan["callers"]])
    for client in clients.values():
        await client.close()


def wait_for_end() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    ended.set()


async def play(client: AsyncRateLimits, caller: dict[str, Any]) -> None:
    admitted: set[int] = set()
    for index, step in enumerate(caller["steps"]):
        if ended.is_set():
            return
        if "refund" in step and step["of"] not in admitted:
            continue
        start = time.time_ns() // 1000
        outcome = await outcome_of(client, step)
        end = time.time_ns() // 1000 + 1
        if outcome.startswith("A"):
            admitted.add(index)
        print(caller["id"], index, start, end, outcome, flush=True)
        if outcome.startswith("E"):
            await asyncio.sleep(0.02)


async def outcome_of(client: AsyncRateLimits, step: dict[str, Any]) -> str:
    try:
        if "refund" in step:
            await client.refund([charge_of(*charge) for charge in step["refund"]])
            return "R -"
        denial = await client.check([[charge_of(*charge) for charge in charges] for charges in step["check"]])
    except Exception as error:  # the test reports each one
        return "E - " + repr(error).replace("\n", " ")
    return "A -" if denial is None else "D -"


def charge_of(bucket: str, identities: list[str], cost: int, lease_id: str | None = None) -> Charge:
    return Charge(bucket, *identities, cost=cost, lease_id=lease_id)


asyncio.run(main())
