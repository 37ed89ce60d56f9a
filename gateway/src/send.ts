import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_HEADERS } from './common-headers.ts';

/** An answer as it leaves, but for the headers that every answer has. */
export interface Outgoing {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content_type?: string;
  readonly body?: string;
}

const ALWAYS = Object.entries(COMMON_HEADERS).flat();

/**
 * Sends an answer past Fastify, which goes through each header several times: with seven of them that
 * took the edge as long as routing and parsing the request did.
 */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Outgoing): void {
  const { status, headers, content_type, body } = answer;
  const lines = [...ALWAYS, 'x-request-id', request.id];
  for (const name in headers) lines.push(name, headers[name] as string);
  if (content_type !== undefined) lines.push('content-type', content_type);
  if (status !== 204) lines.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
  reply.hijack();
  reply.raw.writeHead(status, lines).end(body);
}
