import type { IncomingMessage, ServerResponse } from 'node:http';
import { headOf } from './heads.ts';

/** Heads of up to this are kept until the service has answered, whether or not the client is still there. */
const LONG_HEAD_BYTES = 8 * 1024;

/**
 * Aborts when the client of a request with a long head goes, so that what works for it ends and the head with it: nobody
 * holds it any more whose connection could be closed. Undefined for a request with a shorter head, which goes on.
 */
export function clientGone(request: IncomingMessage, response: ServerResponse): AbortSignal | undefined {
  if (headOf(request, '').bytes <= LONG_HEAD_BYTES) return undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  return gone.signal;
}
