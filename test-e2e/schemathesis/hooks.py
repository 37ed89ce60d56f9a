"""Hooks of Schemathesis: credentials, objects that exist, and refusals that no schema can announce."""

import itertools
import os
import random
import re
from typing import Any

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import RejectedPositiveData
from world import World

WORLD = World(os.environ["GATEHOUSE_API"])
COVERAGE_SHARE = float(os.environ.get("GATEHOUSE_COVERAGE_SHARE", "1"))
# Their own generators, so that the choices are the same in every run.
CHOICES = random.Random(1)
SAMPLES = random.Random(2)
TURNS = itertools.count()

# Codes of violations that no schema can announce, because they depend on what is stored, or on more than a pattern says:
# the largest ID, the forms of ISO 8601, the length of all texts together, and which URLs are public ones.
JUDGED_CODES = {
    "COLOR_VALUE_TOO_HIGH",
    "CANNOT_SEND_EMPTY_MESSAGE",
    "EMAIL_ALREADY_IN_USE",
    "EMBEDS_EXCEED_MAX_CHARACTERS",
    "INVALID_EMAIL_OR_PASSWORD",
    "INVALID_ISO_TIMESTAMP",
    "INVALID_MFA_CODE",
    "INVALID_OR_EXPIRED_TICKET",
    "INVALID_OR_EXPIRED_TOKEN",
    "INVALID_PASSWORD",
    "INVALID_SNOWFLAKE_FORMAT",
    "INVALID_SUDO_PROOF",
    "INVALID_URL_FORMAT",
    "TAG_ALREADY_TAKEN",
}
# Paths whose contents are judged: rules of a body as a whole, pictures, passkeys, secrets, a header whose length counts
# once it is decoded, and IDs of objects that must exist, be of a kind or be named once.
JUDGED_PATHS = re.compile(
    r"root|avatar|banner|icon|image|response|secret|X-Audit-Log-Reason|(.+\.)?(\w+_)?ids?(\.\d+)?|recipients(\.\d+)?"
)
FORM = "application/x-www-form-urlencoded"


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """Sends the credentials that an operation takes in turn."""

    def get(self, case: schemathesis.Case, ctx: schemathesis.AuthContext) -> str | None:
        turn = next(TURNS)
        if turn % 1000 == 999:
            WORLD.renew_sudo()
        kinds = [kind.split(":")[0] for kind in ctx.operation.definition.raw["x-credentials"]]
        usable = [WORLD.credentials[kind] for kind in dict.fromkeys(kinds) if kind in WORLD.credentials]
        if not usable:
            return None
        chosen = usable[turn % len(usable)]
        if chosen != WORLD.session:
            return chosen
        return WORLD.own_session(operation_id(case)) or chosen

    def set(self, case: schemathesis.Case, data: str, ctx: schemathesis.AuthContext) -> None:
        case.headers["Authorization"] = data


@schemathesis.hook
def filter_case(ctx: schemathesis.HookContext, case: schemathesis.Case) -> bool:
    """Keeps a share of the coverage phase, which has no bound of its own."""
    meta = case.meta
    return meta is None or meta.phase.name != TestPhase.COVERAGE or SAMPLES.random() < COVERAGE_SHARE


@schemathesis.hook
def before_call(ctx: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Names objects that exist in seven of eight valid paths, and in half of the valid bodies."""
    meta = case.meta
    # The stateful phase takes IDs from earlier responses.
    if meta is None or meta.phase.name == TestPhase.STATEFUL:
        return
    own = {} if meta.is_negative_at(ParameterLocation.PATH) else WORLD.own_values(operation_id(case))
    values = WORLD.values | own
    # An operation that ends what it names gets its own objects always, or it might end those of all.
    if not meta.is_negative_at(ParameterLocation.PATH) and (own or CHOICES.random() > 1 / 8):
        for name in case.path_parameters or {}:
            case.path_parameters[name] = values.get(name, case.path_parameters[name])
    if isinstance(case.body, dict) and not meta.is_negative_at(ParameterLocation.BODY):
        for name in [name for name in case.body if name in values and CHOICES.random() > 1 / 2]:
            case.body[name] = values[name]


@schemathesis.hook
def filter_failure(
    ctx: schemathesis.HookContext, failure: Failure, case: schemathesis.Case, response: schemathesis.Response
) -> bool:
    """Drops what is right although the schema cannot say it. All other failures count."""
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        error = response.json()
        violations = error.get("errors", [])
        # Without violations the form was valid, and the state of an object forbade the change.
        if not violations:
            return error["code"] == "INVALID_FORM_BODY"
        return not all(is_judged(violation, case) for violation in violations)
    if isinstance(failure, AcceptedNegativeData) and operation_id(case) == "authorize":
        # A browser is redirected, also to the page that explains what is wrong with the parameters.
        return response.status_code != 302
    if isinstance(failure, AcceptedNegativeData) and isinstance(case.body, dict):
        # Names are trimmed before their length counts.
        padded = any(isinstance(value, str) and value != value.strip() for value in case.body.values())
        if padded and "larger than maxLength" in failure.message:
            return False
        # Client credentials of the header are used in place of those of the form.
        has_basic = (case.headers or {}).get("Authorization", "").startswith("Basic ")
        return not (has_basic and re.search(r"in body - client_(id|secret):", failure.message))
    return True


def is_judged(violation: dict[str, str], case: schemathesis.Case) -> bool:
    if violation["path"] == "body":
        # A form holds a JSON object as text, for which a schema has no rule.
        return case.media_type == FORM
    return violation["code"] in JUDGED_CODES or JUDGED_PATHS.fullmatch(violation["path"]) is not None


def operation_id(case: schemathesis.Case) -> str:
    return case.operation.definition.raw["operationId"]


@schemathesis.check
class LimitedAnswers:
    """Counts answers of 429, so that a run which must meet rate limits can tell that it did."""

    def __init__(self) -> None:
        self._count = 0

    def after_response(
        self, ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
    ) -> None:
        self._count += response.status_code == 429

    def after_run(self, ctx: schemathesis.CheckContext) -> None:
        print(f"answers of 429: {self._count}", flush=True)
