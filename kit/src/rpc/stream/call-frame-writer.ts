import { Caller } from '@gatehouse/proto/kit/calls';
import { anonymous } from '../call.ts';
import { PART_BYTES, STREAM_REQUEST_BYTES } from '../limits.ts';
import { asBuffer, MessageWriter } from '../messages/codec.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import { CALL, CALL_FRAME } from './fields.ts';

/** What the frame takes from a call. */
export type FramedCall = Pick<
  OutgoingCall,
  'path' | 'method' | 'request' | 'encoded' | 'timeoutMs' | 'caller' | 'requestId' | 'traceparent'
>;

/**
 * Writes frames of calls, one after the other. Each request and caller is written directly into the frame: to
 * encode them first and copy them would take twice the time.
 */
export interface CallFrameWriter {
  /**
   * False, and adds nothing, if the request is too long for a frame. A request that is already encoded always is.
   *
   * @throws if the request cannot be encoded; then it adds nothing either
   */
  add(id: number, call: FramedCall): boolean;
  /** Whether further calls belong in the next frame. */
  isFull(): boolean;
  /** The frame, with gRPC's prefix: the calls added, and the IDs of cancelled calls. */
  finish(cancelled: readonly number[]): Uint8Array;
}

/** gRPC's prefix of a message: one byte for compression, and the length in four bytes. */
const PREFIX_BYTES = 5;

export function callFrameWriter(): CallFrameWriter {
  const writer = new MessageWriter();
  let lastPath = '';

  function add(id: number, call: FramedCall): boolean {
    if (call.encoded !== undefined) return false;
    const { path, method, request, timeoutMs, caller, requestId, traceparent } = call;
    begin();
    const before = writer.length;
    try {
      writer.uint32(CALL_FRAME.calls).fork();
      writer.uint32(CALL.id).uint32(id);
      if (path !== lastPath) writer.uint32(CALL.method).string(path);
      if (writer.writeField(CALL.request, method.requestType, request) > STREAM_REQUEST_BYTES) {
        writer.rollBack(before);
        return false;
      }
      writer.uint32(CALL.timeout_ms).uint32(timeoutMs);
      if (caller !== anonymous) writer.writeField(CALL.caller, Caller, caller);
      if (requestId !== '') writer.uint32(CALL.request_id).string(requestId);
      if (traceparent !== '') writer.uint32(CALL.traceparent).string(traceparent);
      writer.join();
    } catch (error) {
      writer.rollBack(before);
      throw error;
    }
    lastPath = path; // the next call of the same method leaves it out
    return true;
  }

  function begin(): void {
    if (writer.length === 0) writer.skip(PREFIX_BYTES);
  }

  function finish(cancelled: readonly number[]): Uint8Array {
    begin();
    for (const id of cancelled) writer.uint32(CALL_FRAME.cancelled).uint32(id);
    lastPath = '';
    const prefixed = writer.finish();
    prefixed[0] = 0;
    asBuffer(prefixed).writeUInt32BE(prefixed.length - PREFIX_BYTES, 1);
    return prefixed;
  }

  return { add, isFull: () => writer.length >= PART_BYTES, finish };
}
