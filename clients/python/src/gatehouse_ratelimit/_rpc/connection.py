from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import grpc

ChannelT = TypeVar("ChannelT")


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS, and mutual TLS with a key and a certificate. All files are PEM."""

    root_certificates: bytes | None = None
    """None: those of the machine."""
    private_key: bytes | None = None
    certificate_chain: bytes | None = None
    server_name: str | None = None
    """The name that ratelimit's certificate must have. None: the host of the address."""

    def credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.root_certificates, self.private_key, self.certificate_chain)


_OPTIONS: Sequence[tuple[str, int | str]] = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    # Also the time that an attempt to connect has.
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.service_config", json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})),
)


def channel_options(tls: Tls | None) -> list[tuple[str, int | str]]:
    name = None if tls is None else tls.server_name
    return [*_OPTIONS, *([] if name is None else [("grpc.ssl_target_name_override", name)])]


def addresses_of(address: str) -> list[str]:
    """Reads host:port, or several separated by commas.

    Raises: ValueError, if one of them has no host or no port
    """
    addresses = [part.strip() for part in address.split(",")]
    for one in addresses:
        host, _, port = one.rpartition(":")
        if host == "" or not port.isdecimal():
            raise ValueError(f"{one!r} is not host:port")
    return addresses


class Channels(Generic[ChannelT]):
    """A channel for each address. One is used at a time: another one after each lost stream and each failed probe."""

    def __init__(self, addresses: Sequence[str], open_channel: Callable[[str], ChannelT]) -> None:
        # A channel connects only once it is used.
        self.all = [open_channel(f"dns:///{address}") for address in addresses]
        # Clients of several addresses spread over them.
        self._index = random.randrange(len(addresses))

    def current(self) -> ChannelT:
        return self.all[self._index]

    def advance(self) -> None:
        self._index = (self._index + 1) % len(self.all)
