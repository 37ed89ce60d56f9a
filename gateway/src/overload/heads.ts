import type { IncomingMessage } from 'node:http';

/** Unanswered heads of one connection. From here on its socket is not read, but for a body that is awaited. */
export const FULL_HEADS_BYTES = 64 * 1024;
/** Each header is two strings and a place in two tables. */
const BYTES_A_HEADER = 128;
/** What there is of each request, however short: the objects of Node and Fastify, and its answer. */
const BYTES_A_REQUEST = 2 * 1024;

/** A head that is held until its request is answered. */
export interface Head {
  /** The client's address, IPv6 by /64. */
  readonly address: string;
  /** As it was sent. */
  readonly bytes: number;
  /** About what it takes of memory, with its request. */
  readonly heldBytes: number;
}

export function headOf({ url = '', rawHeaders }: IncomingMessage, address: string): Head {
  let bytes = url.length;
  for (const text of rawHeaders) bytes += text.length;
  const heldBytes = bytes + (rawHeaders.length / 2) * BYTES_A_HEADER + BYTES_A_REQUEST;
  return { address, bytes, heldBytes };
}
