from __future__ import annotations

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from ..errors import RatelimitError, unavailable

_CODES = {code.value[0]: code for code in grpc.StatusCode}


def error_of_status(status: status_pb2.Status) -> RatelimitError:
    """The error of a google.rpc.Status, with the reason in its details."""
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
        if detail.Unpack(info):
            return RatelimitError(code, status.message, info.reason)
    return RatelimitError(code, status.message)


def error_of_stream(error: grpc.RpcError) -> RatelimitError:
    """The error of a stream that has ended: an outage, unless ratelimit refused it."""
    found = error_of_call(error)
    return found if found.is_refusal else unavailable(f"the stream is lost: {found}")


def error_of_call(error: grpc.RpcError) -> RatelimitError:
    """The error of a call of grpcio or grpc.aio."""
    if not isinstance(error, (grpc.Call, grpc.aio.AioRpcError)):
        return RatelimitError(grpc.StatusCode.UNKNOWN, str(error))
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            try:
                return error_of_status(status_pb2.Status.FromString(value))
            except DecodeError:
                break  # details in another form, which a proxy may have added
    return RatelimitError(error.code(), error.details() or "")
