import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ID_BYTES = 12;
const IDS = 256;

let drawn = '';
let at = 0;

/** Random, of 96 bits; drawn many at a time, as one by one they cost more than routing a request does. */
export function newRequestId(): string {
  if (at >= drawn.length) {
    drawn = randomBytes(ID_BYTES * IDS).toString('hex');
    at = 0;
  }
  at += ID_BYTES * 2;
  return drawn.slice(at - ID_BYTES * 2, at);
}

/** The caller's, if it sent one of at most 128 printable ASCII characters, else a new one. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\x20-\x7e]{1,128}$/.test(sent) ? sent : newRequestId();
}
