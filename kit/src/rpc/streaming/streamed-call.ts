import type { Client, ServiceError } from '@grpc/grpc-js';
import { asBuffer, decodeMessage, encodeMessage } from '../messages/codec.ts';
import type { OutgoingStream } from '../outgoing-call.ts';
import { faultOf, metadataOf } from '../unary/call-metadata.ts';

/**
 * Calls a method that answers with a stream, and gives its responses. While nobody asks for the next one, the server is
 * held up once a few have been read ahead. To leave early cancels the call.
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
    call.on('error', () => undefined); // what it says of being cancelled concerns nobody
    call.cancel();
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'metadata' in error;
}
