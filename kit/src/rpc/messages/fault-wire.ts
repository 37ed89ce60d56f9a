import { BadRequest, ErrorInfo } from '@gatehouse/proto/google/rpc/error-details';
import { Status as RpcStatus } from '@gatehouse/proto/google/rpc/status';
import { deadlineExceeded, Fault, internal, type JsonValue, Status, type Violation } from '../../fault.ts';
import { Unreachable } from '../unreachable.ts';

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const DOMAIN = 'gatehouse';
/**
 * Unary RPCs carry a fault in a trailer, in base64. Node's HTTP/2 sends at most 64 KiB of headers: more would end the
 * connection and fail all calls on it.
 */
const MAX_VIOLATIONS_BYTES = 40 * 1024;
/** The whole fault, violations included. */
const MAX_DETAILS_BYTES = 44 * 1024;

/**
 * Encodes a fault as google.rpc.Status. ErrorInfo holds the reason, and each extra member as JSON text. BadRequest
 * holds the violations: as many as fit, about four hundred.
 *
 * @throws RangeError if the other texts are too long
 */
export function encodeFault(fault: Fault): Uint8Array {
  const encoded = RpcStatus.encode(faultStatus(fault)).finish();
  if (encoded.length > MAX_DETAILS_BYTES) throw new RangeError(`a fault of ${encoded.length} bytes`);
  return encoded;
}

/** Converts a fault to google.rpc.Status, as `encodeFault` encodes it. */
export function faultStatus(fault: Fault): RpcStatus {
  const metadata: Record<string, string> = {};
  for (const [key, value] of Object.entries(fault.members)) metadata[key] = JSON.stringify(value);
  const details = [
    {
      type_url: ERROR_INFO,
      value: ErrorInfo.encode({ reason: fault.reason, domain: DOMAIN, metadata }).finish(),
    },
  ];
  if (fault.violations.length > 0) {
    const field_violations = fittingViolations(fault.violations).map(({ path, code, message }) => ({
      field: path,
      reason: code,
      description: message,
    }));
    details.push({ type_url: BAD_REQUEST, value: BadRequest.encode({ field_violations }).finish() });
  }
  return { code: fault.status, message: fault.message, details };
}

function fittingViolations(violations: readonly Violation[]): readonly Violation[] {
  let bytes = 0;
  const first = violations.findIndex((violation) => {
    for (const text of Object.values(violation)) bytes += Buffer.byteLength(text) + FIELD_HEAD_BYTES;
    return bytes > MAX_VIOLATIONS_BYTES;
  });
  return first < 0 ? violations : violations.slice(0, first);
}

/** Encoded bytes beside a text: its own tag and length, and its share of those of the enclosing messages. */
const FIELD_HEAD_BYTES = 4;

/**
 * Decodes the fault that a peer authored. Without one (the peer was lost, was too slow, or is not ours), returns the
 * fault for the gRPC status.
 */
export function decodeFault(status: number, details: Uint8Array, cause?: unknown): Fault {
  return readAuthored(details) ?? unauthored(status, cause);
}

/** Undefined for details in any other form, which no service of ours authored. */
function readAuthored(details: Uint8Array): Fault | undefined {
  if (details.length === 0) return undefined;
  try {
    return authored(details);
  } catch {
    return undefined;
  }
}

function authored(details: Uint8Array): Fault | undefined {
  const rpc = RpcStatus.decode(details);
  const info = rpc.details.find((detail) => detail.type_url === ERROR_INFO);
  if (info === undefined) return undefined;
  const { reason, domain, metadata } = ErrorInfo.decode(info.value);
  if (domain !== DOMAIN || !isFailure(rpc.code)) return undefined;
  const bad = rpc.details.find((detail) => detail.type_url === BAD_REQUEST);
  const members: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(metadata)) members[key] = JSON.parse(value) as JsonValue;
  return new Fault({
    status: rpc.code,
    reason,
    message: rpc.message,
    members,
    violations:
      bad === undefined
        ? []
        : BadRequest.decode(bad.value).field_violations.map((violation) => ({
            path: violation.field,
            code: violation.reason,
            message: violation.description,
          })),
  });
}

/** Whether a fault may have this status. */
function isFailure(code: number): code is Status {
  return code !== Status.OK && (Object.values(Status) as number[]).includes(code);
}

function unauthored(status: number, cause: unknown): Fault {
  switch (status) {
    case Status.UNAVAILABLE:
    case Status.RESOURCE_EXHAUSTED:
      return new Unreachable(cause);
    case Status.DEADLINE_EXCEEDED:
      return deadlineExceeded(cause);
    case Status.PERMISSION_DENIED:
      return internal(new Error('the peer denies this call to this process', { cause }));
    default:
      return internal(cause ?? new Error(`the peer answered gRPC status ${status}`));
  }
}
