import type { IncomingMessage, ServerResponse } from 'node:http';
import { headOf } from './heads.ts';

/** A head of up to this length is kept until the service has answered, even if the client disconnects. */
const KEPT_HEAD_BYTES = 8 * 1024;

/**
 * Aborts when the client of a request with a long head disconnects, which cancels the call and frees the head. The bound
 * on heads cannot free it: it closes connections, and this one is closed already. Undefined for a shorter head: such a
 * request continues.
 */
export function goneSignal(request: IncomingMessage, response: ServerResponse): AbortSignal | undefined {
  if (headOf(request, '').bytes <= KEPT_HEAD_BYTES) return undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}
