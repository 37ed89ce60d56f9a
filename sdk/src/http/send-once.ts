import { NetworkError, UnexpectedResponseError } from '../errors/gatehouse-error.ts';
import type { Fetch } from './fetch.ts';
import type { HttpAnswer, HttpCall } from './http-call.ts';

/**
 * Sends a request and reads the whole answer.
 *
 * @throws NetworkError, UnexpectedResponseError, the signal's reason
 */
export async function sendOnce(
  call: HttpCall,
  fetch: Fetch,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { method, headers, operation } = call;
  try {
    const response = await fetch(call.url, {
      method,
      headers,
      ...(call.body === undefined ? {} : { body: call.body }),
      signal,
      // The API does not redirect its clients, and a redirect can turn a POST into a GET.
      redirect: 'manual',
      // The sign-in cookie belongs to the web app.
      credentials: 'omit',
      cache: 'no-store',
    });
    const bytes = await readBounded(response, maxBytes, operation);
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof UnexpectedResponseError ? error : new NetworkError(operation, error, call.url);
  }
}

async function readBounded(response: Response, maxBytes: number, operation: string) {
  const tooLong = () => {
    const problem = `the answer is longer than ${maxBytes} bytes`;
    return new UnexpectedResponseError(operation, response.status, response.headers, problem);
  };
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > maxBytes) {
      // The error must not wait for a connection that does not close.
      reader.cancel().catch(() => undefined);
      throw tooLong();
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
