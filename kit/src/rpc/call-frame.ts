import { Caller } from '@gatehouse/proto/kit/calls';
import { nobody } from './call.ts';
import { asBuffer, MessageWriter } from './codec.ts';
import type { MethodDefinition } from './definition.ts';
import { PART_BYTES, STREAM_REQUEST_BYTES } from './limits.ts';

/** What a frame holds of a call. */
export interface FramedCall {
  readonly path: string;
  readonly method: MethodDefinition;
  readonly request: unknown;
  /** The request's bytes where it is encoded already; then `request` means nothing. */
  readonly encoded: Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly caller: Caller;
  readonly requestId: string;
}

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
      writer.uint32(0x0a).fork();
      writer.uint32(0x08).uint32(id);
      if (path !== lastPath) writer.uint32(0x12).string(path);
      if (writer.writeField(0x1a, method.requestType, request) > STREAM_REQUEST_BYTES) {
        writer.rollBack(before);
        return false;
      }
      writer.uint32(0x20).uint32(timeoutMs);
      if (caller !== nobody) writer.writeField(0x2a, Caller, caller);
      if (requestId !== '') writer.uint32(0x32).string(requestId);
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
    for (const id of cancelled) writer.uint32(0x10).uint32(id);
    lastPath = '';
    const prefixed = writer.finish();
    prefixed[0] = 0;
    asBuffer(prefixed).writeUInt32BE(prefixed.length - PREFIX_BYTES, 1);
    return prefixed;
  }

  return { add, isFull: () => writer.length >= PART_BYTES, finish };
}
