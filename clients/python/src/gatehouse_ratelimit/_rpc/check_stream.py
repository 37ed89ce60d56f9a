from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, TimeoutError
from typing import Any

import grpc

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError, deadline_exceeded, unavailable
from .backoff import Backoff
from .failures import error_of_stream
from .open_checks import MAX_AGE_S, MAX_OPEN_CHECKS, RETIREMENT_S, OpenChecks

_Waiter = Future[pb.CheckResponse]


class CheckStream:
    """One CheckStream, which all threads share. A lost stream is opened again by the next check."""

    def __init__(
        self, open_call: Callable[[Iterator[pb.CheckRequest]], Any], on_lost: Callable[[], None], addresses: int
    ) -> None:
        self._max_age = MAX_AGE_S
        self._open_call = open_call
        self._on_lost = on_lost
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(MAX_OPEN_CHECKS)
        self._backoff = Backoff(addresses)
        self._stream: _Stream | None = None
        self._all: list[_Stream] = []
        self._is_closed = False

    def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        """Raises: RatelimitError"""
        due = time.monotonic() + timeout
        if not self._free.acquire(timeout=timeout):
            raise deadline_exceeded()
        try:
            with self._lock:
                stream = self._opened()
                tag, waiter = stream.add(request, max(0.0, due - time.monotonic()))
            return stream.wait(tag, waiter, max(0.0, due - time.monotonic()))
        finally:
            self._free.release()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            stream = self._stream
        if stream is not None:
            stream.end(unavailable("the client is closed"))

    def join(self, timeout: float) -> None:
        """Waits for the threads of all streams, once these have ended.

        A thread that the end of the process stops may hold a lock of grpcio, for which the process would wait for ever.
        """
        due = time.monotonic() + timeout
        with self._lock:
            streams = self._all
        for stream in streams:
            stream.join(due)

    def _opened(self) -> _Stream:
        if self._is_closed:
            raise unavailable("the client is closed")
        if self._stream is not None and self._stream.age > self._max_age:
            self._stream.retire()
            self._stream = None
        if self._stream is None:
            self._backoff.require_over()
            self._stream = _Stream(self._open_call, self._lost)
            self._all = [*(stream for stream in self._all if stream.is_running), self._stream]
        return self._stream

    def _lost(self, stream: _Stream, error: RatelimitError) -> None:
        with self._lock:
            if self._stream is not stream:
                return  # it was retired
            self._stream = None
            self._backoff.lost(error, has_worked=stream.has_worked)
        self._on_lost()


class _Stream:
    """One call of CheckStream."""

    def __init__(
        self, open_call: Callable[[Iterator[pb.CheckRequest]], Any], on_lost: Callable[[_Stream, RatelimitError], None]
    ) -> None:
        self._on_lost = on_lost
        self._checks: OpenChecks[_Waiter] = OpenChecks()
        self._changed = threading.Condition()
        self._ended: RatelimitError | None = None
        self._is_retired = False
        self._opened_at = time.monotonic()
        self._threads: list[threading.Thread] = []
        self._call = open_call(self._requests())
        reader = threading.Thread(target=self._read, name="gatehouse-ratelimit-stream", daemon=True)
        self._threads.append(reader)
        reader.start()

    @property
    def has_worked(self) -> bool:
        return self._checks.has_answered

    @property
    def age(self) -> float:
        return time.monotonic() - self._opened_at

    @property
    def is_running(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def join(self, due: float) -> None:
        for thread in self._threads:
            thread.join(max(0.0, due - time.monotonic()))

    def add(self, request: pb.CheckRequest, timeout: float) -> tuple[int, _Waiter]:
        """Sends a check. Returns its tag and the future of its response."""
        waiter: _Waiter = Future()
        with self._changed:
            if self._ended is not None:
                raise self._ended.copy()
            tag = self._checks.add(request, waiter, timeout)
            self._changed.notify()
        return tag, waiter

    def wait(self, tag: int, waiter: _Waiter, timeout: float) -> pb.CheckResponse:
        """Waits for the response of a check."""
        try:
            return waiter.result(timeout)
        except (TimeoutError, CancelledError):
            with self._changed:
                self._checks.timed_out()
            raise deadline_exceeded() from None
        finally:
            if not waiter.done():
                self._cancel(tag)

    def retire(self) -> None:
        """Sends no further checks. Ratelimit answers the open ones, and ends the stream."""
        with self._changed:
            self._is_retired = True
            self._changed.notify()
        timer = threading.Timer(RETIREMENT_S, self._call.cancel)
        timer.daemon = True
        timer.start()

    def end(self, error: RatelimitError) -> None:
        """Ends the stream, and all of its open checks with this error."""
        with self._changed:
            if self._ended is not None:
                return
            self._ended = error
            self._checks.lose(error)
            self._changed.notify()
        self._call.cancel()
        self._on_lost(self, error)

    def _cancel(self, tag: int) -> None:
        with self._changed:
            self._checks.cancel(tag)
            is_stuck = self._checks.is_stuck
            self._changed.notify()
        if is_stuck:
            self.end(unavailable("ratelimit does not answer its checks"))

    def _requests(self) -> Iterator[pb.CheckRequest]:
        """Runs in a thread of grpcio, until the stream ends."""
        self._threads.append(threading.current_thread())
        while True:
            with self._changed:
                while (request := self._checks.next_request()) is None:
                    if self._ended is not None or self._is_retired:
                        return
                    self._changed.wait()
            yield request

    def _read(self) -> None:
        try:
            for response in self._call:
                with self._changed:
                    self._checks.answer(response)
            self.end(unavailable("ratelimit has ended the stream"))
        except grpc.RpcError as error:
            self.end(error_of_stream(error))
