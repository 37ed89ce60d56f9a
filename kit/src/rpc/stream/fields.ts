/** The fields of kit/v1/calls.proto, for the code that writes and reads its frames by hand. */

const VARINT = 0;
const BYTES = 2;

/** The tag of a field: its number and wire type. */
function tag(number: number, type: typeof VARINT | typeof BYTES): number {
  return (number << 3) | type;
}

export const CALL_FRAME = {
  calls: tag(1, BYTES),
  cancelled: tag(2, VARINT),
  /** The packed form, which a peer's protobuf library may send. */
  cancelled_packed: tag(2, BYTES),
} as const;

export const CALL = {
  id: tag(1, VARINT),
  method: tag(2, BYTES),
  request: tag(3, BYTES),
  timeout_ms: tag(4, VARINT),
  caller: tag(5, BYTES),
  request_id: tag(6, BYTES),
  traceparent: tag(7, BYTES),
} as const;

export const ANSWER_FRAME = {
  answers: tag(1, BYTES),
  draining: tag(2, VARINT),
} as const;

export const ANSWER = {
  id: tag(1, VARINT),
  status: tag(2, VARINT),
  response: tag(3, BYTES),
  details: tag(4, BYTES),
  more: tag(5, VARINT),
} as const;

/** The bits of a tag with the wire type. */
export const WIRE_TYPE = 7;
