from __future__ import annotations

import grpc

from .values import Denial

_OUTAGES = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
_REFUSALS = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.UNIMPLEMENTED,
)


class RatelimitError(Exception):
    """A call to ratelimit failed, for example with INVALID_ARGUMENT for an unknown bucket."""

    def __init__(self, code: grpc.StatusCode, message: str, reason: str = "") -> None:
        super().__init__(f"{code.name}: {message}" if reason == "" else f"{code.name} {reason}: {message}")
        self.code = code
        self.message = message
        self.reason = reason
        """The code of the error, such as UNKNOWN_BUCKET; empty if the error has none."""

    def copy(self) -> RatelimitError:
        """The same error, to be raised in another thread or task."""
        return RatelimitError(self.code, self.message, self.reason)

    @property
    def is_outage(self) -> bool:
        """Whether ratelimit did not answer."""
        return self.code in _OUTAGES

    @property
    def is_refusal(self) -> bool:
        """Whether ratelimit refused the call. A connection that breaks may end calls with any other code."""
        return self.code in _REFUSALS


class Denied(Exception):
    """A lease was denied."""

    def __init__(self, denial: Denial) -> None:
        super().__init__(f"{denial.bucket} denies: retry after {denial.retry_after:.3f} s")
        self.denial = denial


def unavailable(message: str) -> RatelimitError:
    return RatelimitError(grpc.StatusCode.UNAVAILABLE, message)


def deadline_exceeded() -> RatelimitError:
    return RatelimitError(grpc.StatusCode.DEADLINE_EXCEEDED, "ratelimit did not answer in time")
