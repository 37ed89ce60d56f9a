from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import grpc
import grpc.aio

from .._core.messages import charge_messages
from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb
from ..errors import RatelimitError, unavailable
from ..values import Charge
from .aio_check_stream import AsyncCheckStream
from .connection import Channels, Tls, addresses_of, channel_options
from .failures import error_of_call
from .methods import CHECK_STREAM, LIST_BUCKETS, PEEK, REFUND, Method


class AsyncTransport(Protocol):
    """Calls to ratelimit. Each raises RatelimitError."""

    async def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse: ...
    async def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse: ...
    async def refund(self, charges: Sequence[Charge], timeout: float) -> None: ...
    async def list_buckets(self, timeout: float) -> pb.ListBucketsResponse: ...
    async def close(self) -> None: ...


class AsyncGrpcTransport:
    def __init__(self, address: str, tls: Tls | None) -> None:
        self._tls = tls
        self._channels = Channels(addresses_of(address), self._open_channel)
        self._stream = AsyncCheckStream(self._open_stream, self._channels.advance, len(self._channels.all))

    async def check(self, request: pb.CheckRequest, timeout: float) -> pb.CheckResponse:
        return await self._stream.check(request, timeout)

    async def peek(self, charges: Sequence[Charge], timeout: float) -> pb.PeekResponse:
        response: pb.PeekResponse = await self._call(PEEK, pb.PeekRequest(charges=charge_messages(charges)), timeout)
        return response

    async def refund(self, charges: Sequence[Charge], timeout: float) -> None:
        await self._call(REFUND, pb.RefundRequest(charges=charge_messages(charges)), timeout)

    async def list_buckets(self, timeout: float) -> pb.ListBucketsResponse:
        try:
            response: pb.ListBucketsResponse = await self._call(LIST_BUCKETS, pb.ListBucketsRequest(), timeout)
        except RatelimitError:
            self._channels.advance()
            raise
        return response

    async def close(self) -> None:
        self._stream.close()
        for channel in self._channels.all:
            await channel.close()

    def _open_channel(self, target: str) -> grpc.aio.Channel:
        options = channel_options(self._tls)
        if self._tls is None:
            return grpc.aio.insecure_channel(target, options)
        return grpc.aio.secure_channel(target, self._tls.credentials(), options)

    def _open_stream(self) -> Any:
        return CHECK_STREAM.on(self._channels.current().stream_stream)()

    async def _call(self, method: Method, request: Any, timeout: float) -> Any:
        try:
            return await method.on(self._channels.current().unary_unary)(request, timeout=timeout)
        except grpc.RpcError as error:
            raise error_of_call(error) from error
        except grpc.aio.UsageError as error:
            raise unavailable("the client is closed") from error
