import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The default of Envoy and Apache. Each header costs more memory than its length. */
export const MAX_HEADERS = 100;

/** Stands for every method that Node's parser refuses. The parser knows SOURCE, which no route has. */
export const UNKNOWN_METHOD = 'SOURCE';

const ID_BYTES = 12;
const IDS = 256;

let drawn = '';
let at = 0;

/** The client's request ID if it is at most 128 printable ASCII characters, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\x20-\x7e]{1,128}$/.test(sent) ? sent : newRequestId();
}

/** 96 random bits. Many are drawn at a time: a single draw costs more than routing a request. */
export function newRequestId(): string {
  if (at >= drawn.length) {
    drawn = randomBytes(ID_BYTES * IDS).toString('hex');
    at = 0;
  }
  at += ID_BYTES * 2;
  return drawn.slice(at - ID_BYTES * 2, at);
}

/** Counts the headers of this name, in lower case. `headers` does not show repeated ones: Node drops some of them. */
export function headerCount(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The members of a header that is a list, in lower case. */
export function headerList(header: string | undefined): string[] {
  return (header ?? '').split(',').map((member) => member.trim().toLowerCase());
}
