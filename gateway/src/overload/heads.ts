import type { IncomingMessage } from 'node:http';

/** At this length of a connection's unanswered heads, its socket is read only for a body that a route waits for. */
export const FULL_HEADS_BYTES = 64 * 1024;
/** Each header is two strings and an entry in two tables. */
const BYTES_A_HEADER = 128;
/** The memory of any request: the objects of Node and Fastify, and its answer. */
const BYTES_A_REQUEST = 2 * 1024;

/** A head that is held until its request is answered. */
export interface Head {
  /** The client's address, IPv6 by /64. */
  readonly address: string;
  /** Its length. */
  readonly bytes: number;
  /** Its approximate memory, with that of its request. */
  readonly heldBytes: number;
}

export function headOf({ url = '', rawHeaders }: IncomingMessage, address: string): Head {
  let bytes = url.length;
  for (const text of rawHeaders) bytes += text.length;
  const heldBytes = bytes + (rawHeaders.length / 2) * BYTES_A_HEADER + BYTES_A_REQUEST;
  return { address, bytes, heldBytes };
}
