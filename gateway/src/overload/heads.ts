import type { IncomingMessage } from 'node:http';

/**
 * Maximum length of a connection's unanswered heads. At this length, the socket is read only for a body that a route is
 * reading.
 */
export const MAX_HEADS_BYTES = 64 * 1024;
/** Each header is two strings and an entry in two tables. */
const BYTES_PER_HEADER = 128;
/** The memory of any request: the objects of Node and Fastify, and its answer. */
const BYTES_PER_REQUEST = 2 * 1024;

/** A head that is held until its request is answered. */
export interface Head {
  /** The client's. */
  readonly ipGroup: string;
  /** Its length. */
  readonly bytes: number;
  /** Its approximate memory, with that of its request. */
  readonly heldBytes: number;
}

export function headOf({ url = '', rawHeaders }: IncomingMessage, ipGroup: string): Head {
  let bytes = url.length;
  for (const text of rawHeaders) bytes += text.length;
  const heldBytes = bytes + (rawHeaders.length / 2) * BYTES_PER_HEADER + BYTES_PER_REQUEST;
  return { ipGroup, bytes, heldBytes };
}
