"""The methods of the contract that the client calls. Channels of grpcio and of grpc.aio take the same arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

_SERVICE = "/gatehouse.ratelimit.v1.RatelimitService/"


@dataclass(frozen=True, slots=True)
class Method:
    path: str
    request_serializer: Callable[[Any], bytes]
    response_deserializer: Callable[[bytes], Any]

    def on(self, make: Callable[..., Any]) -> Any:
        """Makes a multicallable. `make` is the channel's function for this kind of method, such as `unary_unary`."""
        return make(
            self.path,
            request_serializer=self.request_serializer,
            response_deserializer=self.response_deserializer,
        )


CHECK_STREAM = Method(_SERVICE + "CheckStream", pb.CheckRequest.SerializeToString, pb.CheckResponse.FromString)
PEEK = Method(_SERVICE + "Peek", pb.PeekRequest.SerializeToString, pb.PeekResponse.FromString)
REFUND = Method(_SERVICE + "Refund", pb.RefundRequest.SerializeToString, pb.RefundResponse.FromString)
LIST_BUCKETS = Method(
    _SERVICE + "ListBuckets", pb.ListBucketsRequest.SerializeToString, pb.ListBucketsResponse.FromString
)
