import { Caller } from '@gatehouse/proto/kit/calls';
import { nobody } from '../call.ts';
import { asBuffer, MessageWriter } from '../codec.ts';
import { PART_BYTES, STREAM_REQUEST_BYTES } from '../limits.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import { CALL, CALL_FRAME } from './fields.ts';

/** What a frame holds of a call. */
export type FramedCall = Pick<
  OutgoingCall,
  'path' | 'method' | 'request' | 'encoded' | 'timeoutMs' | 'caller' | 'requestId'
>;

/**
 * Writes calls straight into the frame in which they leave, one frame after the other: their requests and
 * callers as bytes of their own would cost as much again (kit/v1/calls.proto has the fields).
 */
export interface CallFrameWriter {
  /**
   * False, and nothing is added, for a request that is too long for a frame, or encoded already, which only long
   * ones are. @throws where it cannot be written
   */
  add(id: number, call: FramedCall): boolean;
  /** Whether it is as long as a frame should be. */
  isFull(): boolean;
  /** The frame, with gRPC's prefix: the calls, and the IDs of those that are given up. */
  finish(cancelled: readonly number[]): Uint8Array;
}

/** That it is not compressed, and its length in four bytes. */
const PREFIX_BYTES = 5;

export function callFrameWriter(): CallFrameWriter {
  const writer = new MessageWriter();
  let lastPath = '';

  function add(id: number, call: FramedCall): boolean {
    if (call.encoded !== undefined) return false;
    const { path, method, request, timeoutMs, caller, requestId } = call;
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
      if (caller !== nobody) writer.writeField(CALL.caller, Caller, caller);
      if (requestId !== '') writer.uint32(CALL.request_id).string(requestId);
      writer.join();
    } catch (error) {
      writer.rollBack(before);
      throw error;
    }
    lastPath = path; // which the next does not name again
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
