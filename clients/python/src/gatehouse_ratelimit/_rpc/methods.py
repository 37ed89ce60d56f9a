"""The methods of the contract that the client calls. Channels of grpcio and of grpc.aio take the same arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

_SERVICE = "/gatehouse.ratelimit.v1.RatelimitService/"


@dataclass(frozen=True, slots=True)
class Method:
    path: str
    response_deserializer: Callable[[bytes], Any]

    def on(self, make: Callable[..., Any]) -> Any:
        """Makes a multicallable. `make` is the channel's function for this kind of method, such as `unary_unary`."""
        return make(
            self.path,
            request_serializer=Message.SerializeToString,
            response_deserializer=self.response_deserializer,
        )


CHECK_STREAM = Method(_SERVICE + "CheckStream", pb.CheckResponse.FromString)
PEEK = Method(_SERVICE + "Peek", pb.PeekResponse.FromString)
REFUND = Method(_SERVICE + "Refund", pb.RefundResponse.FromString)
LIST_BUCKETS = Method(_SERVICE + "ListBuckets", pb.ListBucketsResponse.FromString)
