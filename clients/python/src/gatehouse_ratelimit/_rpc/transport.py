from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import grpc

from .._core.messages import charge_messages
from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError, unavailable
from ..values import Charge
from .check_stream import CheckStream
from .connection import Channels, Tls, addresses_of, channel_options
from .failures import error_of_call
from .methods import CHECK_STREAM, LIST_BUCKETS, PEEK, REFUND, Method

_JOIN_S = 1.0


class Transport(Protocol):
    """Calls to ratelimit. Each raises RatelimitError."""

    def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse: ...
    def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse: ...
    def refund(self, charges: Sequence[Charge], timeout: float) -> None: ...
    def list_buckets(self, timeout: float) -> pb.ListBucketsResponse: ...
    def close(self) -> None: ...


class GrpcTransport:
    def __init__(self, address: str, tls: Tls | None) -> None:
        self._tls = tls
        self._channels = Channels(addresses_of(address), self._open_channel)
        self._stream = CheckStream(self._open_stream, self._channels.advance, len(self._channels.all))

    def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        return self._stream.check(request, timeout)

    def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse:
        response: pb.PeekResponse = self._call(PEEK, pb.PeekRequest(charges=charge_messages(charges)), timeout)
        return response

    def refund(self, charges: Sequence[Charge], timeout: float) -> None:
        self._call(REFUND, pb.RefundRequest(charges=charge_messages(charges)), timeout)

    def list_buckets(self, timeout: float) -> pb.ListBucketsResponse:
        try:
            response: pb.ListBucketsResponse = self._call(LIST_BUCKETS, pb.ListBucketsRequest(), timeout)
        except RatelimitError:
            self._channels.advance()
            raise
        return response

    def close(self) -> None:
        self._stream.close()
        for channel in self._channels.all:
            channel.close()
        self._stream.join(_JOIN_S)

    def _open_channel(self, target: str) -> grpc.Channel:
        options = channel_options(self._tls)
        if self._tls is None:
            return grpc.insecure_channel(target, options)
        return grpc.secure_channel(target, self._tls.credentials(), options)

    def _open_stream(self, requests: Iterator[pb.CheckRequest]) -> Any:
        return CHECK_STREAM.on(self._channels.current().stream_stream)(requests)

    def _call(self, method: Method, request: Any, timeout: float) -> Any:
        try:
            return method.on(self._channels.current().unary_unary)(request, timeout=timeout)
        except grpc.RpcError as error:
            raise error_of_call(error) from error
        except ValueError as error:
            raise unavailable("the client is closed") from error
