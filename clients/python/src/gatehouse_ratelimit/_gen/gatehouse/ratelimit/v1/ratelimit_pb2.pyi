from google.rpc import status_pb2 as _status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FailurePolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAILURE_POLICY_UNSPECIFIED: _ClassVar[FailurePolicy]
    FAILURE_POLICY_LOCAL: _ClassVar[FailurePolicy]
    FAILURE_POLICY_OPEN: _ClassVar[FailurePolicy]
    FAILURE_POLICY_CLOSED: _ClassVar[FailurePolicy]

class LimitKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIMIT_KIND_UNSPECIFIED: _ClassVar[LimitKind]
    LIMIT_KIND_LEAKY_BUCKET: _ClassVar[LimitKind]
    LIMIT_KIND_FIXED_WINDOW: _ClassVar[LimitKind]
    LIMIT_KIND_CONCURRENCY: _ClassVar[LimitKind]

class ProfileField(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROFILE_FIELD_UNSPECIFIED: _ClassVar[ProfileField]
    PROFILE_FIELD_BIO: _ClassVar[ProfileField]
    PROFILE_FIELD_PRONOUNS: _ClassVar[ProfileField]
    PROFILE_FIELD_ACCENT_COLOR: _ClassVar[ProfileField]
    PROFILE_FIELD_AVATAR: _ClassVar[ProfileField]
    PROFILE_FIELD_BANNER: _ClassVar[ProfileField]
FAILURE_POLICY_UNSPECIFIED: FailurePolicy
FAILURE_POLICY_LOCAL: FailurePolicy
FAILURE_POLICY_OPEN: FailurePolicy
FAILURE_POLICY_CLOSED: FailurePolicy
LIMIT_KIND_UNSPECIFIED: LimitKind
LIMIT_KIND_LEAKY_BUCKET: LimitKind
LIMIT_KIND_FIXED_WINDOW: LimitKind
LIMIT_KIND_CONCURRENCY: LimitKind
PROFILE_FIELD_UNSPECIFIED: ProfileField
PROFILE_FIELD_BIO: ProfileField
PROFILE_FIELD_PRONOUNS: ProfileField
PROFILE_FIELD_ACCENT_COLOR: ProfileField
PROFILE_FIELD_AVATAR: ProfileField
PROFILE_FIELD_BANNER: ProfileField

class CheckRequest(_message.Message):
    __slots__ = ("sets", "tag", "timeout_ms", "cancel")
    SETS_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_MS_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    sets: _containers.RepeatedCompositeFieldContainer[ChargeSet]
    tag: int
    timeout_ms: int
    cancel: bool
    def __init__(self, sets: _Optional[_Iterable[_Union[ChargeSet, _Mapping]]] = ..., tag: _Optional[int] = ..., timeout_ms: _Optional[int] = ..., cancel: bool = ...) -> None: ...

class ChargeSet(_message.Message):
    __slots__ = ("charges",)
    CHARGES_FIELD_NUMBER: _ClassVar[int]
    charges: _containers.RepeatedCompositeFieldContainer[Charge]
    def __init__(self, charges: _Optional[_Iterable[_Union[Charge, _Mapping]]] = ...) -> None: ...

class Charge(_message.Message):
    __slots__ = ("bucket", "identities", "cost", "lease_id")
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    LEASE_ID_FIELD_NUMBER: _ClassVar[int]
    bucket: str
    identities: _containers.RepeatedScalarFieldContainer[str]
    cost: int
    lease_id: str
    def __init__(self, bucket: _Optional[str] = ..., identities: _Optional[_Iterable[str]] = ..., cost: _Optional[int] = ..., lease_id: _Optional[str] = ...) -> None: ...

class CheckResponse(_message.Message):
    __slots__ = ("denial", "degraded", "tag", "error")
    DENIAL_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    denial: Denial
    degraded: bool
    tag: int
    error: _status_pb2.Status
    def __init__(self, denial: _Optional[_Union[Denial, _Mapping]] = ..., degraded: bool = ..., tag: _Optional[int] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class Denial(_message.Message):
    __slots__ = ("bucket", "limit", "retry_after_us", "empty_after_us")
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    EMPTY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    bucket: str
    limit: int
    retry_after_us: int
    empty_after_us: int
    def __init__(self, bucket: _Optional[str] = ..., limit: _Optional[int] = ..., retry_after_us: _Optional[int] = ..., empty_after_us: _Optional[int] = ...) -> None: ...

class CheckManyRequest(_message.Message):
    __slots__ = ("checks",)
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    checks: _containers.RepeatedCompositeFieldContainer[CheckRequest]
    def __init__(self, checks: _Optional[_Iterable[_Union[CheckRequest, _Mapping]]] = ...) -> None: ...

class CheckManyResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[CheckResponse]
    def __init__(self, answers: _Optional[_Iterable[_Union[CheckResponse, _Mapping]]] = ...) -> None: ...

class PeekRequest(_message.Message):
    __slots__ = ("charges",)
    CHARGES_FIELD_NUMBER: _ClassVar[int]
    charges: _containers.RepeatedCompositeFieldContainer[Charge]
    def __init__(self, charges: _Optional[_Iterable[_Union[Charge, _Mapping]]] = ...) -> None: ...

class PeekResponse(_message.Message):
    __slots__ = ("states",)
    STATES_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedCompositeFieldContainer[BucketState]
    def __init__(self, states: _Optional[_Iterable[_Union[BucketState, _Mapping]]] = ...) -> None: ...

class BucketState(_message.Message):
    __slots__ = ("bucket", "limit", "remaining", "retry_after_us", "empty_after_us")
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    EMPTY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    bucket: str
    limit: int
    remaining: int
    retry_after_us: int
    empty_after_us: int
    def __init__(self, bucket: _Optional[str] = ..., limit: _Optional[int] = ..., remaining: _Optional[int] = ..., retry_after_us: _Optional[int] = ..., empty_after_us: _Optional[int] = ...) -> None: ...

class RefundRequest(_message.Message):
    __slots__ = ("charges",)
    CHARGES_FIELD_NUMBER: _ClassVar[int]
    charges: _containers.RepeatedCompositeFieldContainer[Charge]
    def __init__(self, charges: _Optional[_Iterable[_Union[Charge, _Mapping]]] = ...) -> None: ...

class RefundResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResetRequest(_message.Message):
    __slots__ = ("charges",)
    CHARGES_FIELD_NUMBER: _ClassVar[int]
    charges: _containers.RepeatedCompositeFieldContainer[Charge]
    def __init__(self, charges: _Optional[_Iterable[_Union[Charge, _Mapping]]] = ...) -> None: ...

class ResetResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBucketsRequest(_message.Message):
    __slots__ = ("known_revision",)
    KNOWN_REVISION_FIELD_NUMBER: _ClassVar[int]
    known_revision: str
    def __init__(self, known_revision: _Optional[str] = ...) -> None: ...

class ListBucketsResponse(_message.Message):
    __slots__ = ("buckets", "revision", "denials_version")
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DENIALS_VERSION_FIELD_NUMBER: _ClassVar[int]
    buckets: _containers.RepeatedCompositeFieldContainer[Bucket]
    revision: str
    denials_version: str
    def __init__(self, buckets: _Optional[_Iterable[_Union[Bucket, _Mapping]]] = ..., revision: _Optional[str] = ..., denials_version: _Optional[str] = ...) -> None: ...

class Bucket(_message.Message):
    __slots__ = ("name", "limit", "window_seconds", "key", "aliases", "policy", "kind")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    WINDOW_SECONDS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    name: str
    limit: int
    window_seconds: int
    key: _containers.RepeatedScalarFieldContainer[str]
    aliases: _containers.RepeatedScalarFieldContainer[str]
    policy: FailurePolicy
    kind: LimitKind
    def __init__(self, name: _Optional[str] = ..., limit: _Optional[int] = ..., window_seconds: _Optional[int] = ..., key: _Optional[_Iterable[str]] = ..., aliases: _Optional[_Iterable[str]] = ..., policy: _Optional[_Union[FailurePolicy, str]] = ..., kind: _Optional[_Union[LimitKind, str]] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("check",)
    CHECK_FIELD_NUMBER: _ClassVar[int]
    check: CheckRequest
    def __init__(self, check: _Optional[_Union[CheckRequest, _Mapping]] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("explanations", "admitted", "store", "revision")
    EXPLANATIONS_FIELD_NUMBER: _ClassVar[int]
    ADMITTED_FIELD_NUMBER: _ClassVar[int]
    STORE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    explanations: _containers.RepeatedCompositeFieldContainer[Explanation]
    admitted: bool
    store: str
    revision: str
    def __init__(self, explanations: _Optional[_Iterable[_Union[Explanation, _Mapping]]] = ..., admitted: bool = ..., store: _Optional[str] = ..., revision: _Optional[str] = ...) -> None: ...

class Explanation(_message.Message):
    __slots__ = ("set", "rule", "state", "cost", "admitted", "retry_after_us", "remembered", "overridden", "exempt")
    SET_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    ADMITTED_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    REMEMBERED_FIELD_NUMBER: _ClassVar[int]
    OVERRIDDEN_FIELD_NUMBER: _ClassVar[int]
    EXEMPT_FIELD_NUMBER: _ClassVar[int]
    set: int
    rule: Bucket
    state: BucketState
    cost: int
    admitted: bool
    retry_after_us: int
    remembered: bool
    overridden: bool
    exempt: bool
    def __init__(self, set: _Optional[int] = ..., rule: _Optional[_Union[Bucket, _Mapping]] = ..., state: _Optional[_Union[BucketState, _Mapping]] = ..., cost: _Optional[int] = ..., admitted: bool = ..., retry_after_us: _Optional[int] = ..., remembered: bool = ..., overridden: bool = ..., exempt: bool = ...) -> None: ...

class GetStatisticsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatisticsResponse(_message.Message):
    __slots__ = ("buckets", "checks", "degraded", "remembered", "live_buckets", "store", "store_up", "uptime_seconds")
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    REMEMBERED_FIELD_NUMBER: _ClassVar[int]
    LIVE_BUCKETS_FIELD_NUMBER: _ClassVar[int]
    STORE_FIELD_NUMBER: _ClassVar[int]
    STORE_UP_FIELD_NUMBER: _ClassVar[int]
    UPTIME_SECONDS_FIELD_NUMBER: _ClassVar[int]
    buckets: _containers.RepeatedCompositeFieldContainer[BucketStatistics]
    checks: int
    degraded: int
    remembered: int
    live_buckets: int
    store: str
    store_up: bool
    uptime_seconds: int
    def __init__(self, buckets: _Optional[_Iterable[_Union[BucketStatistics, _Mapping]]] = ..., checks: _Optional[int] = ..., degraded: _Optional[int] = ..., remembered: _Optional[int] = ..., live_buckets: _Optional[int] = ..., store: _Optional[str] = ..., store_up: bool = ..., uptime_seconds: _Optional[int] = ...) -> None: ...

class BucketStatistics(_message.Message):
    __slots__ = ("bucket", "admitted", "denied", "shadowed")
    BUCKET_FIELD_NUMBER: _ClassVar[int]
    ADMITTED_FIELD_NUMBER: _ClassVar[int]
    DENIED_FIELD_NUMBER: _ClassVar[int]
    SHADOWED_FIELD_NUMBER: _ClassVar[int]
    bucket: str
    admitted: int
    denied: int
    shadowed: int
    def __init__(self, bucket: _Optional[str] = ..., admitted: _Optional[int] = ..., denied: _Optional[int] = ..., shadowed: _Optional[int] = ...) -> None: ...

class TakeSlowmodeRequest(_message.Message):
    __slots__ = ("account_id", "channel_id", "interval_seconds")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    channel_id: str
    interval_seconds: int
    def __init__(self, account_id: _Optional[str] = ..., channel_id: _Optional[str] = ..., interval_seconds: _Optional[int] = ...) -> None: ...

class TakeSlowmodeResponse(_message.Message):
    __slots__ = ("retry_after_us", "degraded")
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    retry_after_us: int
    degraded: bool
    def __init__(self, retry_after_us: _Optional[int] = ..., degraded: bool = ...) -> None: ...

class PeekSlowmodeRequest(_message.Message):
    __slots__ = ("account_id", "channel_id", "interval_seconds")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_SECONDS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    channel_id: str
    interval_seconds: int
    def __init__(self, account_id: _Optional[str] = ..., channel_id: _Optional[str] = ..., interval_seconds: _Optional[int] = ...) -> None: ...

class PeekSlowmodeResponse(_message.Message):
    __slots__ = ("retry_after_us", "degraded")
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    retry_after_us: int
    degraded: bool
    def __init__(self, retry_after_us: _Optional[int] = ..., degraded: bool = ...) -> None: ...

class TakeProfileChangesRequest(_message.Message):
    __slots__ = ("account_id", "guild_id", "fields")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    GUILD_ID_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    account_id: str
    guild_id: str
    fields: _containers.RepeatedScalarFieldContainer[ProfileField]
    def __init__(self, account_id: _Optional[str] = ..., guild_id: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[ProfileField, str]]] = ...) -> None: ...

class TakeProfileChangesResponse(_message.Message):
    __slots__ = ("denial", "degraded")
    DENIAL_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    denial: ProfileDenial
    degraded: bool
    def __init__(self, denial: _Optional[_Union[ProfileDenial, _Mapping]] = ..., degraded: bool = ...) -> None: ...

class ProfileDenial(_message.Message):
    __slots__ = ("field", "retry_after_us")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_US_FIELD_NUMBER: _ClassVar[int]
    field: ProfileField
    retry_after_us: int
    def __init__(self, field: _Optional[_Union[ProfileField, str]] = ..., retry_after_us: _Optional[int] = ...) -> None: ...
