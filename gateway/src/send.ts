import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS } from './common-headers.ts';
import type { ClientConnections } from './overload/client-connections.ts';

/** An answer, without the headers that every answer has. */
export interface Outgoing {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content_type?: string;
  readonly body?: string;
}

export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Outgoing) => void;

const ALWAYS = Object.entries(COMMON_HEADERS).flat();

/**
 * An unread body of up to this declared length is skipped, and the connection stays open. No route takes as much.
 */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * Makes the function that sends an answer. It writes straight to Node's response: Fastify goes through each header
 * several times, which for seven headers took as long as parsing and routing the request.
 */
export function sender(clients: ClientConnections, isDraining: () => boolean): Send {
  return (request, reply, { status, headers, content_type, body }) => {
    const lines = [...ALWAYS, 'x-request-id', request.id];
    for (const name in headers) lines.push(name, headers[name] as string);
    if (content_type !== undefined) lines.push('content-type', content_type);
    if (status !== 204)
      lines.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
    if (!request.raw.complete) {
      if (isLong(request.raw) || !reply.raw.shouldKeepAlive) {
        lines.push('connection', 'close');
        clients.of(request.raw.socket)?.endAfterAnswer();
      } else {
        // A body that was refused half-way is paused, and Node skips the rest only of one that nobody has read.
        reply.raw.once('finish', () => request.raw.resume());
      }
    } else if (isDraining() && clients.of(request.raw.socket)?.isLastRequest() === true)
      lines.push('connection', 'close'); // the client's next request is to go to another process
    reply.hijack();
    reply.raw.writeHead(status, lines).end(body);
  };
}

/** Whether the rest of an unread body may be long. */
function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_UNREAD_BYTES
  );
}
