import type { Client, ServiceError } from '@grpc/grpc-js';
import { asBuffer, decodeMessage, encodeMessage } from '../messages/codec.ts';
import type { OutgoingStream } from '../outgoing-call.ts';
import { faultOf, metadataOf } from '../unary/call-metadata.ts';

/**
 * Calls a method with a stream of responses, and yields them. If the consumer stops reading, the server pauses after
 * a few responses have been read ahead. Leaving the iteration early cancels the call.
 *
 * @throws Fault
 */
export async function* streamedCall(
  client: Client,
  outgoing: OutgoingStream,
): AsyncGenerator<unknown, void, undefined> {
  const { path, method, request, due_ms, signal } = outgoing;
  const call = client.makeServerStreamRequest(
    path,
    asBuffer,
    (bytes): Uint8Array => bytes,
    encodeMessage(method.requestType, request),
    metadataOf(outgoing),
    Number.isFinite(due_ms) ? { deadline: Date.now() + Math.ceil(due_ms - performance.now()) } : {},
  );
  const abort = (): void => call.cancel();
  signal?.addEventListener('abort', abort);
  try {
    for await (const bytes of call) yield decodeMessage(method.responseType, bytes as Uint8Array);
  } catch (error) {
    throw isServiceError(error) ? faultOf(error, signal) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
    call.on('error', () => undefined); // the error of the cancellation below
    call.cancel();
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'metadata' in error;
}
