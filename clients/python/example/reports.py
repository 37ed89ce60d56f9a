import math
import os

from gatehouse_ratelimit import Charge, RateLimits

address = os.environ.get("RATELIMIT_ADDRESS", "127.0.0.1:8081")
limits = RateLimits(address, timeout=5)  # a server's requests should wait less: 0.25 s is the default


def count_report(account_id: str) -> int:
    """Counts a report by an account. Returns the wait in seconds; 0: none."""
    denial = limits.check([[Charge("report", f"account:{account_id}")]])
    return 0 if denial is None else math.ceil(denial.retry_after)


for number in range(1, 12):
    wait = count_report("1001")
    print(f"report {number} is taken" if wait == 0 else f"report {number} has to wait {wait} s")

limits.close()
