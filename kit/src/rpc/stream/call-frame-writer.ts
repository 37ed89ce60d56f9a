import { Caller } from '@gatehouse/proto/kit/calls';
import { anonymous } from '../call.ts';
import { PART_BYTES, PREFIX_BYTES, STREAM_REQUEST_BYTES } from '../limits.ts';
import { asBuffer, MessageWriter } from '../messages/codec.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import { CALL, CALL_FRAME } from './fields.ts';

/** The fields of a call that a frame carries. */
export type FramedCall = Pick<
  OutgoingCall,
  'path' | 'method' | 'request' | 'encoded' | 'timeoutMs' | 'caller' | 'requestId' | 'traceparent'
>;

/**
 * Writes frames of calls, one after the other. Each request and caller is encoded directly into the frame: to encode
 * them first and copy them would take twice the time.
 */
export class CallFrameWriter {
  readonly #writer = new MessageWriter();
  #lastPath = '';

  /**
   * Adds a call. Returns false and adds nothing if the request is too long for a frame, or already encoded.
   *
   * @throws if the request cannot be encoded; nothing is added then
   */
  add(id: number, call: FramedCall): boolean {
    if (call.encoded !== undefined) return false;
    const { path, method, request, timeoutMs, caller, requestId, traceparent } = call;
    const writer = this.#writer;
    this.#begin();
    const before = writer.length;
    try {
      writer.uint32(CALL_FRAME.calls).fork();
      writer.uint32(CALL.id).uint32(id);
      if (path !== this.#lastPath) writer.uint32(CALL.method).string(path);
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
    this.#lastPath = path; // the next call of the same method omits it
    return true;
  }

  /** Whether further calls belong in the next frame. */
  isFull(): boolean {
    return this.#writer.length >= PART_BYTES;
  }

  /** Returns the frame, with gRPC's prefix: the added calls, and the IDs of cancelled calls. Begins a new frame. */
  finish(cancelled: readonly number[]): Uint8Array {
    this.#begin();
    for (const id of cancelled) this.#writer.uint32(CALL_FRAME.cancelled).uint32(id);
    this.#lastPath = '';
    const prefixed = this.#writer.finish();
    prefixed[0] = 0;
    asBuffer(prefixed).writeUInt32BE(prefixed.length - PREFIX_BYTES, 1);
    return prefixed;
  }

  #begin(): void {
    if (this.#writer.length === 0) this.#writer.reserve(PREFIX_BYTES);
  }
}
