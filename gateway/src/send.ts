import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientConnections } from './overload/client-connections.ts';
import type { Answer } from './route.ts';

export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => void;

/**
 * Maximum declared length of an unread body that is skipped, so that the connection stays open. It is above the body
 * limit of every route.
 */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** Makes the function that sends an answer. */
export function sender(clients: ClientConnections, isDraining: () => boolean): Send {
  return (request, reply, { status, headers, content_type, body }) => {
    reply.code(status);
    if (headers !== undefined) reply.headers(headers);
    if (content_type !== undefined) reply.header('content-type', content_type);
    if (!request.raw.complete) {
      if (isLong(request.raw) || !reply.raw.shouldKeepAlive) {
        reply.header('connection', 'close');
        clients.of(request.raw.socket)?.endAfterAnswer();
      } else {
        // A body that was refused half-way is paused, and Node skips the rest only of a body that was never read.
        reply.raw.once('finish', () => request.raw.resume());
      }
    } else if (isDraining() && clients.of(request.raw.socket)?.isLastRequest() === true)
      reply.header('connection', 'close'); // the client's next request should go to another process
    reply.send(body);
  };
}

/** Whether the rest of an unread body may be long. */
function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_UNREAD_BYTES
  );
}
