import { COMMON_HEADERS } from '../../../gateway/src/common-headers.ts';
import type { ClientConnections } from '../../../gateway/src/overload/client-connections.ts';
import type { Send } from '../../../gateway/src/send.ts';

export type { Outgoing } from '../../../gateway/src/send.ts';

/** Answers by way of Fastify. Bodies that are declared and not sent are not for the bench. */
export function sender(clients: ClientConnections): Send {
  return (request, reply, { status, headers, content_type, body }) => {
    reply.code(status).headers(COMMON_HEADERS).header('x-request-id', request.id);
    if (headers !== undefined) reply.headers(headers);
    if (content_type !== undefined) reply.header('content-type', content_type);
    reply.send(body);
    clients.passed(body === undefined ? 0 : Buffer.byteLength(body));
  };
}
