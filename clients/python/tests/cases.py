"""Reads the cases of all clients (clients/cases)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import grpc

from gatehouse_ratelimit import Charge, RatelimitError
from gatehouse_ratelimit._gen.gatehouse.ratelimit.v1 import ratelimit_pb2 as pb

FOLDER = Path(__file__).parents[2] / "cases"

Row: TypeAlias = Mapping[str, Any]

_MEMBERS = {
    "case": {"name", "replicas", "buckets", "server", "steps"},
    "step": {
        "at_us",
        "check",
        "refund",
        "rules",
        "probe",
        "times",
        "every_us",
        "first",
        "together",
        "server",
        "expect",
    },
    "server": {"decides", "answers", "fails", "takes_us"},
    "expect": {"denial", "error", "called", "breaker", "remembered", "remembered_at_most"},
    "charge": {"bucket", "identities", "cost", "lease_id"},
    "bucket": {"name", "limit", "window_seconds", "key", "policy", "kind", "aliases"},
}


def cases() -> Iterator[Row]:
    """Raises: ValueError, if a case has a member that this reader does not know"""
    for file in sorted(FOLDER.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            _check_members("case", case)
            for step in case["steps"]:
                _check_members("step", step)
                _check_members("server", step.get("server", {}))
                _check_members("expect", step.get("expect", {}))
            yield case


def charges_of(rows: list[Row], number: int) -> list[Charge]:
    return [_charge(row, number) for row in rows]


def _charge(row: Row, number: int) -> Charge:
    _check_members("charge", row)
    identities = [identity.replace("{n}", str(number)) for identity in row["identities"]]
    return Charge(row["bucket"], *identities, cost=row.get("cost", 1), lease_id=row.get("lease_id"))


def buckets_of(rows: list[Row]) -> pb.ListBucketsResponse:
    """The answer of ListBuckets. Equal rows have the same revision."""
    return pb.ListBucketsResponse(buckets=[_bucket(row) for row in rows], revision=json.dumps(rows, sort_keys=True))


def _bucket(row: Row) -> pb.Bucket:
    _check_members("bucket", row)
    return pb.Bucket(
        name=row["name"],
        limit=row["limit"],
        window_seconds=row["window_seconds"],
        key=row["key"],
        aliases=row.get("aliases", []),
        policy=f"FAILURE_POLICY_{row.get('policy', 'local').upper()}",
        kind=f"LIMIT_KIND_{row.get('kind', 'leaky_bucket').upper()}",
    )


def response_of(server: Row) -> pb.CheckResponse:
    """The decision of a server in a case. Raises: RatelimitError, if it fails"""
    if "fails" in server:
        raise RatelimitError(grpc.StatusCode[server["fails"]], "as the case says")
    return pb.CheckResponse(**{name: value for name, value in server.get("decides", {}).items() if value is not None})


def _check_members(kind: str, row: Row) -> None:
    unknown = row.keys() - _MEMBERS[kind]
    if unknown:
        raise ValueError(f"{kind} with {', '.join(sorted(unknown))}")
