"""A ratelimit on a real port that gives a test's answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

Decide = Callable[[pb.CheckRequest], Iterable[pb.CheckResponse]]

BUCKETS = pb.ListBucketsResponse(
    revision="fake",
    buckets=[
        pb.Bucket(name="report", limit=10, window_seconds=3600, key=["account"], policy=pb.FAILURE_POLICY_LOCAL),
        pb.Bucket(name="search", limit=40, window_seconds=10, key=["account"], policy=pb.FAILURE_POLICY_OPEN),
        pb.Bucket(name="export", limit=2, window_seconds=1, key=["account"], kind=pb.LIMIT_KIND_CONCURRENCY),
    ],
)
ADMITTED = pb.CheckResponse()


def admit(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
    yield ADMITTED


def stay_silent(request: pb.CheckRequest) -> Iterable[pb.CheckResponse]:
    return ()


class FakeRatelimit:
    def __init__(self) -> None:
        self.decide: Decide = admit
        self.buckets = BUCKETS
        self.states: list[pb.BucketState] = []
        self.checks: list[pb.CheckRequest] = []
        self.refunds: list[pb.Charge] = []
        self.streams = 0
        self._lock = threading.Lock()
        self._port = 0
        self._server: grpc.Server | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._port}"

    @property
    def cancelled(self) -> list[int]:
        """The tags of cancelled checks."""
        return [request.tag for request in list(self.checks) if request.cancel]

    def start(self) -> None:
        """Starts it, again on the same port."""
        self._server = grpc.server(ThreadPoolExecutor(32), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((self._handlers(),))
        self._port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        self._server.start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop(0).wait()
            self._server = None

    def _handlers(self) -> Any:
        unary, stream = grpc.unary_unary_rpc_method_handler, grpc.stream_stream_rpc_method_handler
        handlers = {
            "CheckStream": stream(self._check_stream, pb.CheckRequest.FromString, pb.CheckResponse.SerializeToString),
            "Peek": unary(self._peek, pb.PeekRequest.FromString, pb.PeekResponse.SerializeToString),
            "Refund": unary(self._refund, pb.RefundRequest.FromString, pb.RefundResponse.SerializeToString),
            "ListBuckets": unary(
                self._list_buckets, pb.ListBucketsRequest.FromString, pb.ListBucketsResponse.SerializeToString
            ),
        }
        return grpc.method_handlers_generic_handler("gatehouse.ratelimit.v1.RatelimitService", handlers)

    def _check_stream(self, requests: Iterator[pb.CheckRequest], context: Any) -> Iterator[pb.CheckResponse]:
        with self._lock:
            self.streams += 1
        for request in requests:
            self.checks.append(request)
            if request.cancel:
                continue
            for response in self.decide(request):
                if not response.HasField("tag"):
                    response = pb.CheckResponse.FromString(response.SerializeToString())
                    response.tag = request.tag
                yield response

    def _peek(self, request: pb.PeekRequest, context: Any) -> pb.PeekResponse:
        return pb.PeekResponse(states=self.states)

    def _refund(self, request: pb.RefundRequest, context: Any) -> pb.RefundResponse:
        self.refunds.extend(request.charges)
        return pb.RefundResponse()

    def _list_buckets(self, request: pb.ListBucketsRequest, context: Any) -> pb.ListBucketsResponse:
        return self.buckets
