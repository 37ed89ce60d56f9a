import { decodeMessage } from '@gatehouse/kit/rpc/codec';
import type { ByteRange, ReadAnswerFrame, ReadCallFrame } from '@gatehouse/kit/rpc/stream/frame-reader';
import { AnswerFrame, CallFrame } from '@gatehouse/proto/kit/calls';

/** Frames of calls, read by the generated code. */
export function decodeCallFrame(bytes: Uint8Array): ReadCallFrame {
  const { calls, cancelled } = decodeMessage(CallFrame, bytes);
  return {
    calls: calls.map(({ id, method, request, timeout_ms, caller, request_id, traceparent }) => ({
      id,
      method,
      request: rangeOf(request, bytes),
      timeout_ms,
      caller: rangeOf(caller, bytes),
      request_id,
      traceparent,
    })),
    cancelled: [...cancelled],
  };
}

/** Frames of answers, read by the generated code. */
export function decodeAnswerFrame(bytes: Uint8Array): ReadAnswerFrame {
  const { answers, draining } = decodeMessage(AnswerFrame, bytes);
  return {
    answers: answers.map(({ id, status, response, details, more }) => ({
      id,
      status,
      response: rangeOf(response, bytes),
      details: rangeOf(details, bytes),
      more,
    })),
    draining,
  };
}

/** Where the library found them: it copies nothing. */
function rangeOf(part: Uint8Array, frame: Uint8Array): ByteRange {
  if (part.length === 0) return NO_BYTES;
  const from = part.byteOffset - frame.byteOffset;
  return { from, to: from + part.length };
}

const NO_BYTES: ByteRange = { from: 0, to: 0 };
