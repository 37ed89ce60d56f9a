import { anonymous } from '@gatehouse/kit/rpc/call';
import { encodeMessage } from '@gatehouse/kit/rpc/codec';
import { PART_BYTES, STREAM_REQUEST_BYTES } from '@gatehouse/kit/rpc/limits';
import type { CallFrameWriter, FramedCall } from '@gatehouse/kit/rpc/stream/call-frame-writer';
import { type Call, Caller, CallFrame } from '@gatehouse/proto/kit/calls';

const PREFIX_BYTES = 5;
const NO_BYTES = new Uint8Array();

/** Frames of calls, written by the generated code. */
export function callFrameWriter(): CallFrameWriter {
  let calls: Call[] = [];
  let bytes = 0;
  let lastPath = '';

  function add(id: number, call: FramedCall): boolean {
    if (call.encoded !== undefined) return false;
    const { path, timeoutMs: timeout_ms, requestId: request_id, traceparent } = call;
    const request = encodeMessage(call.method.requestType, call.request);
    if (request.length > STREAM_REQUEST_BYTES) return false;
    const caller = call.caller === anonymous ? NO_BYTES : encodeMessage(Caller, call.caller);
    calls.push({
      id,
      method: path === lastPath ? '' : path,
      request,
      timeout_ms,
      caller,
      request_id,
      traceparent,
    });
    bytes += request.length + caller.length;
    lastPath = path;
    return true;
  }

  function finish(cancelled: readonly number[]): Uint8Array {
    const frame = encodeMessage(CallFrame, { calls, cancelled: [...cancelled] });
    calls = [];
    bytes = 0;
    lastPath = '';
    const prefixed = Buffer.allocUnsafe(PREFIX_BYTES + frame.length);
    prefixed[0] = 0;
    prefixed.writeUInt32BE(frame.length, 1);
    prefixed.set(frame, PREFIX_BYTES);
    return prefixed;
  }

  return { add, isFull: () => bytes >= PART_BYTES, finish };
}
