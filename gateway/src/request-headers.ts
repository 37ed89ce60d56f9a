import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** As many as Envoy and Apache take unless they are set otherwise. Each costs more than its length. */
export const MAX_HEADERS = 100;

/** Stands for every method that Node's parser does not take. It takes this one, of a streaming server, which nobody uses. */
export const UNKNOWN_METHOD = 'SOURCE';

const ID_BYTES = 12;
const IDS = 256;

let drawn = '';
let at = 0;

/** The caller's, if it sent one of at most 128 printable ASCII characters, else a new one. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\x20-\x7e]{1,128}$/.test(sent) ? sent : newRequestId();
}

/** 96 random bits. Many are drawn at a time: one by one they cost more than routing a request. */
export function newRequestId(): string {
  if (at >= drawn.length) {
    drawn = randomBytes(ID_BYTES * IDS).toString('hex');
    at = 0;
  }
  at += ID_BYTES * 2;
  return drawn.slice(at - ID_BYTES * 2, at);
}

/** How often a header was sent; its name in lower case. Of some headers Node keeps the first and drops the others. */
export function headerCount(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
