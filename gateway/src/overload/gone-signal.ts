import type { IncomingMessage, ServerResponse } from 'node:http';
import { headOf } from './heads.ts';

/** A head of up to this length is kept until the service has answered, even if the client disconnects. */
const KEPT_HEAD_BYTES = 8 * 1024;

/**
 * Aborts when the client of a request with a long head disconnects: its call is cancelled and the head freed. The
 * bound on heads frees memory by closing connections, and this request has none left. Undefined for a shorter head:
 * such a request continues.
 */
export function goneSignal(request: IncomingMessage, response: ServerResponse): AbortSignal | undefined {
  if (headOf(request, '').bytes <= KEPT_HEAD_BYTES) return undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}
