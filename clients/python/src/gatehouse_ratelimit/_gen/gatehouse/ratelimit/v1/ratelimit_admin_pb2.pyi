from gatehouse.ratelimit.v1 import ratelimit_pb2 as _ratelimit_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LookUpIdentityRequest(_message.Message):
    __slots__ = ("identity",)
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    identity: str
    def __init__(self, identity: _Optional[str] = ...) -> None: ...

class LookUpIdentityResponse(_message.Message):
    __slots__ = ("buckets", "overrides", "fingerprint")
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    buckets: _containers.RepeatedCompositeFieldContainer[IdentityBucket]
    overrides: _containers.RepeatedCompositeFieldContainer[Override]
    fingerprint: str
    def __init__(self, buckets: _Optional[_Iterable[_Union[IdentityBucket, _Mapping]]] = ..., overrides: _Optional[_Iterable[_Union[Override, _Mapping]]] = ..., fingerprint: _Optional[str] = ...) -> None: ...

class IdentityBucket(_message.Message):
    __slots__ = ("state", "identities")
    STATE_FIELD_NUMBER: _ClassVar[int]
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    state: _ratelimit_pb2.BucketState
    identities: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, state: _Optional[_Union[_ratelimit_pb2.BucketState, _Mapping]] = ..., identities: _Optional[_Iterable[str]] = ...) -> None: ...

class ResetIdentityRequest(_message.Message):
    __slots__ = ("identity", "bucket")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    identity: str
    bucket: str
    def __init__(self, identity: _Optional[str] = ..., bucket: _Optional[str] = ...) -> None: ...

class ResetIdentityResponse(_message.Message):
    __slots__ = ("before",)
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    before: _containers.RepeatedCompositeFieldContainer[IdentityBucket]
    def __init__(self, before: _Optional[_Iterable[_Union[IdentityBucket, _Mapping]]] = ...) -> None: ...

class Override(_message.Message):
    __slots__ = ("identity", "bucket", "limit", "window_seconds", "exempt", "expires_at_ms", "operator", "reason")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    WINDOW_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_MS_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    identity: str
    bucket: str
    limit: int
    window_seconds: int
    exempt: bool
    expires_at_ms: int
    operator: str
    reason: str
    def __init__(self, identity: _Optional[str] = ..., bucket: _Optional[str] = ..., limit: _Optional[int] = ..., window_seconds: _Optional[int] = ..., exempt: bool = ..., expires_at_ms: _Optional[int] = ..., operator: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SetOverrideRequest(_message.Message):
    __slots__ = ("override",)
    OVERRIDE_FIELD_NUMBER: _ClassVar[int]
    override: Override
    def __init__(self, override: _Optional[_Union[Override, _Mapping]] = ...) -> None: ...

class SetOverrideResponse(_message.Message):
    __slots__ = ("before",)
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    before: Override
    def __init__(self, before: _Optional[_Union[Override, _Mapping]] = ...) -> None: ...

class RemoveOverrideRequest(_message.Message):
    __slots__ = ("identity", "bucket")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    identity: str
    bucket: str
    def __init__(self, identity: _Optional[str] = ..., bucket: _Optional[str] = ...) -> None: ...

class RemoveOverrideResponse(_message.Message):
    __slots__ = ("before",)
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    before: Override
    def __init__(self, before: _Optional[_Union[Override, _Mapping]] = ...) -> None: ...

class ListOverridesRequest(_message.Message):
    __slots__ = ("after", "limit")
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    after: str
    limit: int
    def __init__(self, after: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListOverridesResponse(_message.Message):
    __slots__ = ("overrides", "next")
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    overrides: _containers.RepeatedCompositeFieldContainer[Override]
    next: str
    def __init__(self, overrides: _Optional[_Iterable[_Union[Override, _Mapping]]] = ..., next: _Optional[str] = ...) -> None: ...

class ListDeniedRequest(_message.Message):
    __slots__ = ("limit",)
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    limit: int
    def __init__(self, limit: _Optional[int] = ...) -> None: ...

class ListDeniedResponse(_message.Message):
    __slots__ = ("identities",)
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    identities: _containers.RepeatedCompositeFieldContainer[DeniedIdentity]
    def __init__(self, identities: _Optional[_Iterable[_Union[DeniedIdentity, _Mapping]]] = ...) -> None: ...

class DeniedIdentity(_message.Message):
    __slots__ = ("bucket", "fingerprint", "kind", "identity", "denials", "last_denied_at_ms", "denied_until_ms")
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    DENIALS_FIELD_NUMBER: _ClassVar[int]
    LAST_DENIED_AT_MS_FIELD_NUMBER: _ClassVar[int]
    DENIED_UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    bucket: str
    fingerprint: str
    kind: str
    identity: str
    denials: int
    last_denied_at_ms: int
    denied_until_ms: int
    def __init__(self, bucket: _Optional[str] = ..., fingerprint: _Optional[str] = ..., kind: _Optional[str] = ..., identity: _Optional[str] = ..., denials: _Optional[int] = ..., last_denied_at_ms: _Optional[int] = ..., denied_until_ms: _Optional[int] = ...) -> None: ...
